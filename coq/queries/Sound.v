(** * The rules for programs prove claims about queries *)
From Tallystick.queries Require Export Groups.

(** ** Tables: a column that holds no NULL is stored without a flag *)
Definition column := (Q.kind * bool)%type.
Definition stored_ty (c : column) := if snd c then cell_ty (fst c) else base_ty (fst c).
Definition stored (c : column) v := if snd c then cell (fst c) v else base (fst c) v.
Fixpoint stored_row (cs : list column) (r : Q.row) : list val := match cs with
  | [] => [] | c :: cs => stored c (hd Q.Null r) :: stored_row cs (tl r) end.
Definition table_ty cs := TTup (map stored_ty cs).
Definition lookup (s : Q.schema) (t : string) : option (list column) := option_map snd (find (fun x => String.eqb (fst x) t) s).
Definition env_of (s : Q.schema) (d : Q.database) : env := fun x u => match x with
  | N t => match lookup s t with
      | Some cs => if ty_eqb u (TBag (table_ty cs)) then bag (map (fun r => VTup (stored_row cs r)) (d t)) else default u
      | None => default u end
  | _ => default u end.
Lemma stored_typed cs r : has_type (VTup (stored_row cs r)) (table_ty cs).
Proof.
  apply has_type_tup. revert r; induction cs as [|[k []] cs IH]; intros r; cbn; constructor; auto; [|apply base_typed].
  apply has_type_tup. repeat constructor. apply base_typed.
Qed.
Lemma env_typed s d : typed (env_of s d).
Proof.
  intros x u. unfold env_of. destruct x; try apply default_typed. destruct (lookup s s0) as [cs|]; [|apply default_typed].
  destruct (ty_eqb u _) eqn:E; [|apply default_typed]. apply ty_eqb_eq in E. subst. apply has_type_bag_of, Forall_map, Forall_forall.
  intros r _. apply stored_typed.
Qed.

(** ** Queries *)
Definition kind_eqb (j k : Q.kind) : bool := match j, k with
  | Q.Numbers, Q.Numbers | Q.Truths, Q.Truths | Q.Texts, Q.Texts => true | _, _ => false end.
Lemma kinds_eqb_eq js ks : list_eqb kind_eqb js ks = true -> js = ks.
Proof. apply list_eqb_eq, Forall_forall. intros [] _ []; cbn; congruence. Qed.

(** A stored cell as a cell: what stands beside the flag of NULL is arbitrary in a program's input. *)
Definition read (c : column) (t : term) : term :=
  if negb (snd c) then Op Tuple [Bool false; t] else
  let null := Op (Proj 0) [t] in let v := Op (Proj 1) [t] in
  Op Tuple [null; match fst c with Q.Truths => Op And [Op Not [null]; v] | _ => Op Ite [null; Int 0; v] end].
Fixpoint padded (T : ty) (i : nat) (cs : list column) : list term := match cs with
  | [] => [] | c :: cs => read c (Op (Proj i) [Elem T]) :: padded T (Datatypes.S i) cs end.
Definition side (T : ty) (i : nat) (ks : list Q.kind) : list term :=
  map (fun j => Op (Proj j) [Op (Proj i) [Elem T]]) (seq 0 (List.length ks)).
Definition cell_of (T : ty) (e : Q.expression) : term := let '(n, x) := compiled T e in Op Tuple [n; x].
Definition pairs (T : ty) (es : list Q.expression) (cs : list call) (b : term) : term :=
  Op Map [Op Tuple [Op Tuple (map (cell_of T) es); Op Tuple (map (cell_of T) (map argument cs))]; b].
Definition groups (T : ty) es cs js b : term :=
  let U := TTup [row_ty js; row_ty (numbers cs)] in
  Op Map [Op Tuple (side U 0 js ++ side U 1 (numbers cs)); Op FoldByKey [Op Tuple (starts cs); step cs; pairs T es cs b]].
Fixpoint compile (s : Q.schema) (q : Q.query) : option (term * list Q.kind) := match q with
  | Q.Table t => bind (lookup s t) (fun cs =>
      Some (Op Map [Op Tuple (padded (table_ty cs) 0 cs); Var (N t) (TBag (table_ty cs))], map fst cs))
  | Q.Where c q => bind (compile s q) (fun '(b, ks) => match kind_of ks c with
      | Some Q.Truths => Some (Op Filter [snd (compiled (row_ty ks) c); b], ks) | _ => None end)
  | Q.Select es q => bind (compile s q) (fun '(b, ks) => bind (sequence (map (kind_of ks) es)) (fun js =>
      Some (Op Map [Op Tuple (map (cell_of (row_ty ks)) es); b], js)))
  | Q.Join c p q => bind (compile s p) (fun '(a, js) => bind (compile s q) (fun '(b, ks) =>
      let T := TTup [row_ty js; row_ty ks] in let product := Op Map [Op Tuple (side T 0 js ++ side T 1 ks); Op Cartesian [a; b]] in
      match kind_of (js ++ ks) c with
      | Some Q.Truths => Some (Op Filter [snd (compiled (row_ty (js ++ ks)) c); product], js ++ ks) | _ => None end))
  | Q.UnionAll p q => bind (compile s p) (fun '(a, js) => bind (compile s q) (fun '(b, ks) =>
      if list_eqb kind_eqb js ks then Some (Op Union [a; b], js) else None))
  | Q.Distinct q => bind (compile s q) (fun '(b, ks) => Some (Op Distinct [b], ks))
  | Q.Rows _ | Q.LeftJoin _ _ _ _ | Q.SemiJoin _ _ _ _ | Q.ExceptAll _ _ | Q.Among _ _ _ | Q.Total _ _ => None
  | Q.GroupBy es cs q => bind (compile s q) (fun '(b, ks) => bind (sequence (map (kind_of ks) es)) (fun js =>
      if forallb (fun c => match kind_of ks (argument c) with Some Q.Numbers => true | _ => false end) cs
      then Some (groups (row_ty ks) es cs js b, js ++ numbers cs) else None))
  end.

Definition means (s : Q.schema) (q : Q.query) (t : term) (ks : list Q.kind) :=
  type t = Some (TBag (row_ty ks)) /\ forall d, Q.conforms s d ->
    Forall (of_kinds ks) (Q.answer d [] q) /\ Permutation (elements (meaning (env_of s d) t)) (map (enc ks) (Q.answer d [] q)).

Lemma closed_bag_type b u ce ca : type b = Some u -> typeof ce ca b = Some u.
Proof. intros; now apply closed_type. Qed.
Lemma mapped s (q q' : Q.query) b f ks js u (g : Q.database -> Q.row -> Q.row) : means s q b ks -> u = row_ty ks ->
  typeof (Some u) None f = Some (row_ty js) ->
  (forall d, Q.conforms s d -> Q.answer d [] q' = map (g d) (Q.answer d [] q)) ->
  (forall d r, Q.conforms s d -> of_kinds ks r -> of_kinds js (g d r) /\ eval (env_of s d) (enc ks r) nothing f = enc js (g d r)) ->
  means s q' (Op Map [f; b]) js.
Proof.
  intros [B H] -> F A E. split; [unfold type in *; cbn [typeof]; now rewrite B, F|]. intros d D. destruct (H d D) as [K P]. rewrite (A d D). split.
  - apply Forall_map. eapply Forall_impl; [|exact K]. intros r R. exact (proj1 (E d r D R)).
  - unfold meaning. cbn [run]. etransitivity; [apply elements_bag|]. etransitivity; [apply Permutation_map; exact P|]. rewrite !map_map.
    apply Permutation_refl'. apply map_ext_in. intros r R. rewrite Forall_forall in K. exact (proj2 (E d r D (K r R))).
Qed.
Lemma filtered s (q q' : Q.query) b c ks : means s q b ks -> kind_of ks c = Some Q.Truths ->
  (forall d, Q.conforms s d -> Q.answer d [] q' = filter (fun r => Q.is_true (Q.value_of d [r] c)) (Q.answer d [] q)) ->
  means s q' (Op Filter [snd (compiled (row_ty ks) c); b]) ks.
Proof.
  intros [B H] C A.
  assert (X : forall d r, of_kinds ks r -> typeof (Some (row_ty ks)) None (snd (compiled (row_ty ks) c)) = Some TBool /\
      eval (env_of s d) (enc ks r) nothing (snd (compiled (row_ty ks) c)) = VBool (Q.is_true (Q.value_of d [r] c))).
  { intros d r R. pose proof (compiled_is (env_of s d) d ks r (env_typed s d) R c _ C) as Y. destruct (compiled (row_ty ks) c) as [n x].
    destruct Y as (Y & _ & Z1 & Z2). split; [exact Z1|]. cbn [snd]. rewrite Z2. destruct (Q.value_of d [r] c); try discriminate; reflexivity. }
  assert (NULLS : of_kinds ks (map (fun _ => Q.Null) ks)) by (clear; induction ks as [|[] ks]; constructor; auto).
  split; [unfold type in *; cbn [typeof]; rewrite B, (proj1 (X (fun _ => []) _ NULLS)); reflexivity|].
  intros d D. destruct (H d D) as [K P]. rewrite (A d D). split.
  - apply Forall_forall. intros r R. apply filter_In in R as [R _]. rewrite Forall_forall in K. auto.
  - unfold meaning. cbn [run]. etransitivity; [apply elements_bag|]. etransitivity; [apply Permutation_filter; exact P|].
    apply Permutation_refl'. clear -K X. induction K as [|r l R K IH]; cbn [map filter]; auto.
    destruct (X d r R) as [_ ->]. rewrite toB_bool, IH. destruct (Q.is_true _); auto.
Qed.

Lemma padded_ok en cs r all (r' : list val) : typeof (Some (table_ty all)) None (Elem (table_ty all)) = Some (table_ty all) ->
  forall i, skipn i (map stored_ty all) = map stored_ty cs -> skipn i r' = stored_row cs r -> Forall2 Q.admits cs r ->
  sequence (map (typeof (Some (table_ty all)) None) (padded (table_ty all) i cs)) = Some (map cell_ty (map fst cs)) /\
  map (eval en (VTup r') nothing) (padded (table_ty all) i cs) = cells (map fst cs) r /\ of_kinds (map fst cs) r.
Proof.
  intros TE i S1 S2 A. revert i S1 S2; induction A as [|[k b] v cs r V A IH]; intros i S1 S2; cbn [padded map sequence fst snd cells]; [repeat split; constructor|].
  cbn [map stored_row] in S1, S2.
  assert (N1 : nth_error (map stored_ty all) i = Some (stored_ty (k, b)) /\ skipn (Datatypes.S i) (map stored_ty all) = map stored_ty cs).
  { revert S1. generalize (map stored_ty all). clear. induction i; intros [|x l]; cbn [skipn nth_error]; try discriminate; [|apply IHi].
    intros [= -> ->]; auto. }
  assert (N2 : nth i r' nothing = stored (k, b) v /\ skipn (Datatypes.S i) r' = stored_row cs r).
  { revert S2. generalize r'. clear. induction i; intros [|x l]; cbn [skipn nth hd tl]; try discriminate; [|apply IHi].
    intros [= -> ->]; auto. }
  destruct N1 as [N1 S1'], N2 as [N2 S2']. destruct (IH _ S1' S2') as (H1 & H2 & H3). unfold cells in *; fold cells in *. rewrite H1, H2.
  assert (P : typeof (Some (table_ty all)) None (Op (Proj i) [Elem (table_ty all)]) = Some (stored_ty (k, b))).
  { cbn [typeof] in TE |- *. rewrite TE. exact N1. }
  assert (E : eval en (VTup r') nothing (Op (Proj i) [Elem (table_ty all)]) = stored (k, b) v) by (cbn [run component]; exact N2).
  split; [|split].
  - unfold read. destruct b; cbn [negb snd fst]; [destruct k|]; cbn [typeof map sequence] in P |- *; rewrite P; reflexivity.
  - unfold read. destruct b; cbn [negb snd fst] in E |- *; [destruct k|]; cbn [run map] in E |- *; rewrite E; unfold stored; cbn [snd fst hd tl];
      destruct v; try destruct k; cbn in V; try reflexivity; try tauto; try discriminate; destruct b; reflexivity.
  - constructor; auto. destruct k, v; cbn in V; auto; tauto.
Qed.
Lemma side_ok en (T1 T2 : list ty) js (i : nat) (ls : list val) us x1 x2 : nth_error [TTup T1; TTup T2] i = Some (TTup us) -> us = map cell_ty js ->
  component i (VTup [x1; x2]) = VTup ls -> List.length ls = List.length js ->
  sequence (map (typeof (Some (TTup [TTup T1; TTup T2])) None) (side (TTup [TTup T1; TTup T2]) i js)) = Some us /\
  map (eval en (VTup [x1; x2]) nothing) (side (TTup [TTup T1; TTup T2]) i js) = ls.
Proof.
  intros N -> C L. unfold side. split.
  - assert (G : forall k a, (forall n, (n < k)%nat -> nth_error (map cell_ty js) (a + n) = nth_error (skipn a (map cell_ty js)) n) -> k = (List.length js - a)%nat ->
        sequence (map (typeof (Some (TTup [TTup T1; TTup T2])) None) (map (fun j => Op (Proj j) [Op (Proj i) [Elem (TTup [TTup T1; TTup T2])]]) (seq a k))) = Some (skipn a (map cell_ty js))).
    { induction k as [|k IH]; intros a H E; cbn [seq map sequence].
      - rewrite skipn_all2; auto. rewrite map_length. lia.
      - cbn [typeof is]. rewrite ty_eqb_refl. cbn [when]. rewrite N.
        pose proof (H O ltac:(lia)) as H0. rewrite Nat.add_0_r in H0. rewrite H0.
        assert (LA : (a < List.length (map cell_ty js))%nat) by (rewrite map_length; lia).
        destruct (skipn a (map cell_ty js)) as [|w rest] eqn:SK; [apply (f_equal (@List.length _)) in SK; rewrite skipn_length in SK; cbn in SK; lia|].
        cbn [nth_error].
        assert (SK' : skipn (Datatypes.S a) (map cell_ty js) = rest).
        { revert SK. generalize (map cell_ty js). clear. induction a; intros [|y l]; cbn [skipn]; try discriminate; [|apply IHa]. intros [= _ ->]; auto. }
        rewrite IH, SK'; auto; [|lia]. intros n Hn. rewrite SK'. specialize (H (Datatypes.S n) ltac:(lia)). cbn [nth_error] in H.
        rewrite <- H. f_equal. lia. }
    rewrite (G (List.length js) O); auto. lia.
  - rewrite map_map. rewrite <- L. transitivity (map (fun j => nth j ls nothing) (seq 0 (List.length ls))).
    + apply map_ext. intros j. cbn [run]. rewrite C. reflexivity.
    + clear. induction ls as [|v ls IH]; cbn [List.length seq map nth]; auto. f_equal. rewrite <- seq_shift, map_map. exact IH.
Qed.
Lemma cells_length ks r : List.length (cells ks r) = List.length ks.
Proof. revert r; induction ks; cbn; auto. Qed.
Lemma cells_app js ks l r : of_kinds js l -> cells (js ++ ks) (l ++ r) = cells js l ++ cells ks r.
Proof. induction 1; cbn; auto. now f_equal. Qed.

Lemma product_ok s p q a b js ks (pq : Q.query) : means s p a js -> means s q b ks ->
  (forall d, Q.answer d [] pq = flat_map (fun l => map (app l) (Q.answer d [] q)) (Q.answer d [] p)) ->
  let T := TTup [row_ty js; row_ty ks] in
  means s pq (Op Map [Op Tuple (side T 0 js ++ side T 1 ks); Op Cartesian [a; b]]) (js ++ ks).
Proof.
  intros [A HA] [B HB] E T.
  assert (SQ : forall {X} (l k : list (option X)) x y, sequence l = Some x -> sequence k = Some y -> sequence (l ++ k) = Some (x ++ y)).
  { intros X l; induction l as [|[z|] l IH]; cbn; intros k x y HX HY; try discriminate; [inversion HX; subst; exact HY|].
    destruct (sequence l) as [w|]; [|discriminate]. inversion HX; subst. now rewrite (IH _ _ _ eq_refl HY). }
  assert (S : forall en l r, sequence (map (typeof (Some T) None) (side T 0 js ++ side T 1 ks)) = Some (map cell_ty js ++ map cell_ty ks) /\
      map (eval en (VTup [enc js l; enc ks r]) nothing) (side T 0 js ++ side T 1 ks) = cells js l ++ cells ks r).
  { intros en l r. rewrite !map_app.
    destruct (side_ok en (map cell_ty js) (map cell_ty ks) js 0 (cells js l) _ (enc js l) (enc ks r) eq_refl eq_refl eq_refl (cells_length _ _)) as [S1 S2].
    destruct (side_ok en (map cell_ty js) (map cell_ty ks) ks 1 (cells ks r) _ (enc js l) (enc ks r) eq_refl eq_refl eq_refl (cells_length _ _)) as [S3 S4].
    split; [apply SQ; assumption|]. f_equal; assumption. }
  split.
  - unfold type in *. cbn [typeof]. rewrite A, B. fold T. destruct (S default_env [] []) as [-> _]. unfold row_ty. now rewrite map_app.
  - intros d D. destruct (HA d D) as [KA PA], (HB d D) as [KB PB]. rewrite E. split.
    + apply Forall_forall. intros x X. apply in_flat_map in X as (l & L & X). apply in_map_iff in X as (r & <- & R).
      rewrite Forall_forall in KA, KB. exact (Forall2_app (KA _ L) (KB _ R)).
    + unfold meaning in *. cbn [run]. etransitivity; [apply elements_bag|].
      etransitivity; [apply Permutation_map, elements_bag|].
      etransitivity; [apply Permutation_map, Permutation_flat_map'; [exact PA|intros x _; apply Permutation_map; exact PB]|].
      apply Permutation_refl'.
      set (F := fun v => VTup (map (eval (env_of s d) v nothing) (side T 0 js ++ side T 1 ks))).
      transitivity (map F (flat_map (fun l => map (fun r => VTup [enc js l; enc ks r]) (Q.answer d [] q)) (Q.answer d [] p))).
      * apply (f_equal (map F)). rewrite flat_map_map. apply flat_map_ext. intros l. apply map_map.
      * change (map F (flat_map (fun l => map (fun r => VTup [enc js l; enc ks r]) (Q.answer d [] q)) (Q.answer d [] p)) =
          map (enc (js ++ ks)) (flat_map (fun l => map (app l) (Q.answer d [] q)) (Q.answer d [] p))).
        clear -KA S. induction KA as [|l ls L KA IH]; cbn [flat_map]; auto. rewrite !map_app, IH. f_equal. rewrite !map_map.
        apply map_ext. intros r. unfold F. destruct (S (env_of s d) l r) as [_ ->]. unfold enc. now rewrite cells_app.
Qed.
Lemma union_ok s p q a b ks : means s p a ks -> means s q b ks -> means s (Q.UnionAll p q) (Op Union [a; b]) ks.
Proof.
  intros [A HA] [B HB]. split; [unfold type in *; cbn [typeof]; rewrite A, B; cbn [is]; now rewrite ty_eqb_refl|].
  intros d D. destruct (HA d D) as [KA PA], (HB d D) as [KB PB]. cbn [Q.answer]. split; [apply Forall_app; auto|].
  unfold meaning in *. cbn [run]. etransitivity; [apply elements_bag|]. rewrite map_app. now apply Permutation_app.
Qed.
Lemma distinct_ok s q b ks : means s q b ks -> means s (Q.Distinct q) (Op Distinct [b]) ks.
Proof.
  intros [B H]. split; [unfold type in *; cbn [typeof]; now rewrite B|]. intros d D. destruct (H d D) as [K P]. cbn [Q.answer].
  assert (K' : Forall (of_kinds ks) (nodup Q.row_eq_dec (Q.answer d [] q))).
  { apply Forall_forall. intros r R. apply nodup_In in R. rewrite Forall_forall in K. auto. }
  split; auto. unfold meaning in *. cbn [run]. etransitivity; [apply elements_bag|]. apply NoDup_Permutation.
  - apply dedup_nodup.
  - pose proof (NoDup_nodup Q.row_eq_dec (Q.answer d [] q)) as ND. clear -K' ND. induction ND as [|r l R ND IH]; cbn; constructor.
    + intros I. apply in_map_iff in I as (r' & E & I). rewrite Forall_forall in K'. apply enc_injective in E; [subst; auto|apply K'; cbn; auto|apply K'; cbn; auto].
    + apply IH. now inversion K'.
  - intros v. rewrite dedup_in. split; intros I.
    + apply (Permutation_in _ P), in_map_iff in I as (r & <- & R). apply in_map. now apply nodup_In.
    + apply in_map_iff in I as (r & <- & R). apply nodup_In in R. apply (Permutation_in _ (Permutation_sym P)). now apply in_map.
Qed.

Lemma selected en db ks r es js : typed en -> of_kinds ks r -> Forall2 (fun e k => kind_of ks e = Some k) es js ->
  sequence (map (typeof (Some (row_ty ks)) None) (map (cell_of (row_ty ks)) es)) = Some (map cell_ty js) /\
  map (eval en (enc ks r) nothing) (map (cell_of (row_ty ks)) es) = cells js (map (Q.value_of db [r]) es) /\ of_kinds js (map (Q.value_of db [r]) es).
Proof.
  intros EN R K. induction K as [|e k es js E K IH]; cbn [map sequence cells hd tl]; [repeat split; constructor|].
  destruct IH as (H1 & H2 & H3). rewrite H1, H2. pose proof (compiled_is en db ks r EN R e k E) as Y. unfold cell_of at 1 2.
  destruct (compiled (row_ty ks) e) as [n x]. destruct Y as (Y1 & [Y2 Y3] & [Y4 Y5]). cbn [typeof map sequence run]. rewrite Y2, Y3, Y4, Y5.
  repeat split; auto. constructor; auto.
Qed.
Lemma side_by_side en js ks l r : let T := TTup [row_ty js; row_ty ks] in of_kinds js l ->
  typeof (Some T) None (Op Tuple (side T 0 js ++ side T 1 ks)) = Some (row_ty (js ++ ks)) /\
  eval en (VTup [enc js l; enc ks r]) nothing (Op Tuple (side T 0 js ++ side T 1 ks)) = enc (js ++ ks) (l ++ r).
Proof.
  intros T L.
  destruct (side_ok en (map cell_ty js) (map cell_ty ks) js 0 (cells js l) _ (enc js l) (enc ks r) eq_refl eq_refl eq_refl (cells_length _ _)) as [S1 S2].
  destruct (side_ok en (map cell_ty js) (map cell_ty ks) ks 1 (cells ks r) _ (enc js l) (enc ks r) eq_refl eq_refl eq_refl (cells_length _ _)) as [S3 S4].
  assert (SQ : forall {X} (l k : list (option X)) x y, sequence l = Some x -> sequence k = Some y -> sequence (l ++ k) = Some (x ++ y)).
  { intros X l'; induction l' as [|[z|] l' IH]; cbn; intros k x y HX HY; try discriminate; [inversion HX; subst; exact HY|].
    destruct (sequence l') as [w|]; [|discriminate]. inversion HX; subst. now rewrite (IH _ _ _ eq_refl HY). }
  split.
  - assert (E : sequence (map (typeof (Some T) None) (side T 0 js ++ side T 1 ks)) = Some (map cell_ty js ++ map cell_ty ks))
      by (rewrite map_app; apply SQ; assumption).
    cbn [typeof]. rewrite E. unfold row_ty. now rewrite map_app.
  - transitivity (VTup (cells js l ++ cells ks r)); [|unfold enc; now rewrite cells_app].
    apply (f_equal VTup). rewrite map_app. f_equal; assumption.
Qed.
Lemma dedup_enc ks l vs : Forall (of_kinds ks) l -> Permutation vs (map (enc ks) l) ->
  Permutation (dedup vs) (map (enc ks) (nodup Q.row_eq_dec l)).
Proof.
  intros K P.
  assert (K' : Forall (of_kinds ks) (nodup Q.row_eq_dec l)).
  { apply Forall_forall. intros r R. apply nodup_In in R. rewrite Forall_forall in K. auto. }
  apply NoDup_Permutation.
  - apply dedup_nodup.
  - pose proof (NoDup_nodup Q.row_eq_dec l) as ND. clear -K' ND. induction ND as [|r k R ND IH]; cbn; constructor.
    + intros I. apply in_map_iff in I as (r' & E & I). rewrite Forall_forall in K'. apply enc_injective in E; [subst; auto|apply K'; cbn; auto|apply K'; cbn; auto].
    + apply IH. now inversion K'.
  - intros v. rewrite dedup_in. split; intros I.
    + apply (Permutation_in _ P), in_map_iff in I as (r & <- & R). apply in_map. now apply nodup_In.
    + apply in_map_iff in I as (r & <- & R). apply nodup_In in R. apply (Permutation_in _ (Permutation_sym P)). now apply in_map.
Qed.
Lemma grouped s q b ks es cs js : means s q b ks -> Forall2 (fun e k => kind_of ks e = Some k) es js ->
  Forall2 (fun e k => kind_of ks e = Some k) (map argument cs) (numbers cs) ->
  means s (Q.GroupBy es cs q) (groups (row_ty ks) es cs js b) (js ++ numbers cs).
Proof.
  intros [B H] K A. set (ns := numbers cs).
  assert (NULLS : of_kinds ks (map (fun _ => Q.Null) ks)) by (clear; induction ks as [|[] ks]; constructor; auto).
  assert (PT : type (pairs (row_ty ks) es cs b) = Some (TBag (TTup [row_ty js; row_ty ns]))).
  { unfold type, pairs in *. cbn [typeof]. rewrite B. destruct (selected default_env (fun _ => []) ks _ es js default_env_typed NULLS K) as (S1 & _).
    destruct (selected default_env (fun _ => []) ks _ _ _ default_env_typed NULLS A) as (S2 & _). cbn [map sequence typeof]. rewrite S1, S2. reflexivity. }
  split.
  - unfold groups. fold ns. unfold type in *. cbn [typeof]. rewrite (proj1 (starts_are default_env cs)). rewrite PT. fold (row_ty ns). unfold ns. rewrite step_type. cbn [is].
    rewrite ty_eqb_refl. cbn [when]. assert (NJ : of_kinds js (map (Q.value_of (fun _ => []) [map (fun _ => Q.Null) ks]) es)) by (destruct (selected default_env (fun _ => []) ks _ es js default_env_typed NULLS K) as (_ & _ & ?); auto).
    pose proof (proj1 (side_by_side default_env js (numbers cs) _ [] NJ)) as SS. cbn [typeof] in SS.
    fold (row_ty (numbers cs)). now rewrite SS.
  - intros d D. destruct (H d D) as [KQ P]. set (rs := Q.answer d [] q) in *. set (en := env_of s d). assert (EN : typed en) by apply env_typed.
    set (key := fun r => map (Q.value_of d [r]) es).
    assert (KK : forall r, In r rs -> of_kinds js (key r) /\ of_kinds ns (arguments d cs r) /\ eval en (enc ks r) nothing (Op Tuple [Op Tuple (map (cell_of (row_ty ks)) es); Op Tuple (map (cell_of (row_ty ks)) (map argument cs))]) =
        VTup [enc js (key r); enc ns (arguments d cs r)]).
    { intros r R. rewrite Forall_forall in KQ. destruct (selected en d ks r es js EN (KQ r R) K) as (_ & S1 & S2).
      destruct (selected en d ks r _ _ EN (KQ r R) A) as (_ & S3 & S4). rewrite (map_map argument (Q.value_of d [r])) in S3, S4.
      split; [exact S2|split; [exact S4|]].
      transitivity (VTup [VTup (map (eval en (enc ks r) nothing) (map (cell_of (row_ty ks)) es));
        VTup (map (eval en (enc ks r) nothing) (map (cell_of (row_ty ks)) (map argument cs)))]); [reflexivity|].
      rewrite S1, S3. reflexivity. }
    assert (PP : Permutation (elements (meaning en (pairs (row_ty ks) es cs b))) (map (fun r => VTup [enc js (key r); enc ns (arguments d cs r)]) rs)).
    { unfold meaning, pairs. cbn [run]. etransitivity; [apply elements_bag|]. etransitivity; [apply Permutation_map; exact P|]. rewrite map_map.
      apply Permutation_refl', map_ext_in. intros r R. apply KK; auto. }
    set (ps := elements (meaning en (pairs (row_ty ks) es cs b))) in *.
    assert (KEYS : Permutation (dedup (map (component 0) ps)) (map (enc js) (nodup Q.row_eq_dec (map key rs)))).
    { apply dedup_enc.
      - apply Forall_map, Forall_forall. intros r R. now destruct (KK r R).
      - etransitivity; [apply Permutation_map; exact PP|]. rewrite !map_map. reflexivity. }
    set (group := fun k => filter (fun r => if Q.row_eq_dec (key r) k then true else false) rs).
    assert (FOLD : forall k, In k (nodup Q.row_eq_dec (map key rs)) ->
        fold_left (fun m x => eval en x m (step cs)) (map (component 1) (filter (fun p => veqb (component 0 p) (enc js k)) ps)) (eval en nothing nothing (Op Tuple (starts cs))) =
        enc ns (map (fun c => summary c (map (fun r => Q.value_of d [r] (argument c)) (group k))) cs)).
    { intros k IK. apply nodup_In, in_map_iff in IK as (r0 & <- & R0).
      assert (FP : Permutation (map (component 1) (filter (fun p => veqb (component 0 p) (enc js (key r0))) ps)) (map (fun r => enc ns (arguments d cs r)) (group (key r0)))).
      { etransitivity; [apply Permutation_map, Permutation_filter; exact PP|]. apply Permutation_refl'. unfold group.
        assert (G : forall l, (forall r, In r l -> In r rs) ->
            map (component 1) (filter (fun p => veqb (component 0 p) (enc js (key r0))) (map (fun r => VTup [enc js (key r); enc ns (arguments d cs r)]) l)) =
            map (fun r => enc ns (arguments d cs r)) (filter (fun r => if Q.row_eq_dec (key r) (key r0) then true else false) l)).
        { induction l as [|r l IH]; intros L; auto. cbn [map filter]. change (component 0 (VTup [enc js (key r); enc ns (arguments d cs r)])) with (enc js (key r)).
          assert (E : veqb (enc js (key r)) (enc js (key r0)) = if Q.row_eq_dec (key r) (key r0) then true else false).
          { destruct (Q.row_eq_dec (key r) (key r0)) as [->|N]; [apply veqb_refl|]. apply veqb_neq. intros E. apply N.
            apply (enc_injective js); auto; [destruct (KK r (L r (or_introl eq_refl)))|destruct (KK r0 R0)]; auto. }
          rewrite E. destruct (Q.row_eq_dec (key r) (key r0)); cbn [map]; rewrite IH; auto; intros r' R'; apply L; cbn; auto. }
        apply G; auto. }
      destruct (Permutation_map_inv _ _ FP) as (l & EL & L). rewrite EL.
      assert (LR : forall r, In r l -> In r rs) by (intros r R; apply (Permutation_in _ (Permutation_sym L)), filter_In in R; tauto).
      destruct (starts_are en cs) as (_ & S2 & S3). change (eval en nothing nothing (Op Tuple (starts cs))) with (VTup (map (eval en nothing nothing) (starts cs))).
      rewrite S2. change (VTup (cells (numbers cs) (map start cs))) with (enc (numbers cs) (map start cs)).
      rewrite <- (map_map (fun r => arguments d cs r) (enc ns)). unfold ns. rewrite fold_is; auto.
      2: { apply Forall_map, Forall_forall. intros r R. now destruct (KK r (LR r R)). }
      f_equal. rewrite fold_columns. apply map_ext_in. intros c C. symmetry. apply (summary_perm c); [now apply Permutation_map|].
      intros v V. apply in_map_iff in V as (r & <- & R). apply filter_In in R as [R _]. destruct (KK r R) as (_ & KA & _). clear -KA C. unfold arguments in KA.
      revert KA. unfold ns, numbers. induction cs as [|c' cs' IH]; [destruct C|]. cbn [map]. intros KA. inversion KA; subst. destruct C as [->|C]; auto. }
    assert (AN : Q.answer d [] (Q.GroupBy es cs q) =
        map (fun k => k ++ map (fun c => summary c (map (fun r => Q.value_of d [r] (argument c)) (group k))) cs) (nodup Q.row_eq_dec (map key rs))).
    { cbn [Q.answer]. fold rs. apply map_ext. intros k. f_equal. apply map_ext. intros c. apply summary_is. }
    rewrite AN. split.
    + apply Forall_map, Forall_forall. intros k IK. unfold of_kinds. apply Forall2_app.
      * apply nodup_In, in_map_iff in IK as (r & <- & R). now destruct (KK r R).
      * clear -KK. unfold numbers. set (g := group k). assert (G : forall r, In r g -> In r rs) by (unfold g, group; intros r R; apply filter_In in R; tauto).
        assert (ALL : forall c, In c cs -> of_kind Q.Numbers (summary c (map (fun r => Q.value_of d [r] (argument c)) g)) = true).
        { intros c C. unfold summary. apply (fold_left_inv (fun v => of_kind Q.Numbers v = true)); [now destruct c as [[] ?]|].
          intros v w I V. apply combined_kind; auto. apply in_map_iff in I as (r & <- & R). destruct (KK r (G r R)) as (_ & KA & _). clear -KA C.
          unfold arguments, ns, numbers in KA. induction cs as [|c' cs' IH]; [destruct C|]. cbn [map] in KA. inversion KA; subst. destruct C as [->|C]; auto. }
        clear -ALL. induction cs as [|c cs IH]; constructor; [apply ALL; cbn; auto|]. apply IH. intros; apply ALL; cbn; auto.
    + unfold groups. fold ns. set (U := TTup [row_ty js; row_ty ns]). unfold meaning. cbn [run]. etransitivity; [apply elements_bag|].
      etransitivity; [apply Permutation_map, elements_bag|]. fold (meaning en (pairs (row_ty ks) es cs b)). fold ps.
      etransitivity; [apply Permutation_map, Permutation_map; exact KEYS|]. rewrite !map_map. apply Permutation_refl', map_ext_in. intros k IK.
      transitivity (eval en (VTup [enc js k; enc ns (map (fun c => summary c (map (fun r => Q.value_of d [r] (argument c)) (group k))) cs)]) nothing (Op Tuple (side U 0 js ++ side U 1 ns))).
      { apply (f_equal (fun z => eval en (VTup [enc js k; z]) nothing (Op Tuple (side U 0 js ++ side U 1 ns)))). exact (FOLD k IK). }
      apply nodup_In, in_map_iff in IK as (r & <- & R). destruct (KK r R) as (KJ & _ & _).
      exact (proj2 (side_by_side en js ns _ _ KJ)).
Qed.
Lemma filter_all {A} (f : A -> bool) l : (forall x, f x = true) -> filter f l = l.
Proof. intros T. induction l as [|x l IH]; cbn [filter]; auto. now rewrite T, IH. Qed.
Theorem compile_ok s q : forall t ks, compile s q = Some (t, ks) -> means s q t ks.
Proof.
  induction q as [name|rows|c q IH|es q IH|c p IHp q IHq|n c p IHp q IHq|kept c p IHp q IHq|p IHp q IHq|p IHp q IHq|kept p IHp q IHq|q IH|es cs q IH|cs q IH];
    intros t ks C; cbn [compile] in C; try discriminate C.
  - destruct (lookup s name) as [cs|] eqn:L; [|discriminate]. cbn [bind] in C. inversion C; subst; clear C.
    assert (IN : In (name, cs) s).
    { unfold lookup in L. destruct (find _ s) as [[x cs']|] eqn:F; [|discriminate]. cbn in L. inversion L; subst.
      apply find_some in F as [F G]. cbn in G. apply String.eqb_eq in G. now subst. }
    assert (TE : typeof (Some (table_ty cs)) None (Elem (table_ty cs)) = Some (table_ty cs)) by (cbn [typeof is]; now rewrite ty_eqb_refl).
    split.
    + unfold type. cbn [typeof].
      assert (X : exists r, Forall2 Q.admits cs r).
      { clear. induction cs as [|[k b] cs [r R]]; [now exists []|].
        exists ((match k with Q.Numbers => Q.Number 0 | Q.Truths => Q.Truth true | Q.Texts => Q.Text EmptyString end) :: r). constructor; auto. now destruct k. }
      destruct X as [r R]. destruct (padded_ok default_env cs r cs (stored_row cs r) TE O eq_refl eq_refl R) as (-> & _). reflexivity.
    + intros d D. assert (R : forall r, In r (d name) -> Forall2 Q.admits cs r) by (intros r I; exact (D _ _ _ IN I)). cbn [Q.answer]. split.
      * apply Forall_forall. intros r I. now destruct (padded_ok default_env cs r cs (stored_row cs r) TE O eq_refl eq_refl (R r I)) as (_ & _ & ?).
      * unfold meaning. cbn [run]. unfold env_of at 2. rewrite L, ty_eqb_refl. etransitivity; [apply elements_bag|].
        etransitivity; [apply Permutation_map, elements_bag|]. rewrite map_map. apply Permutation_refl', map_ext_in. intros r I.
        destruct (padded_ok (env_of s d) cs r cs (stored_row cs r) TE O eq_refl eq_refl (R r I)) as (_ & E & _). cbn [run]. now rewrite E.
  - destruct (compile s q) as [[b js]|]; [|discriminate]. cbn [bind] in C. destruct (kind_of js c) as [[]|] eqn:K; try discriminate.
    inversion C; subst. eapply filtered; eauto.
  - destruct (compile s q) as [[b js]|]; [|discriminate]. cbn [bind] in C. destruct (sequence _) as [ls|] eqn:K; [|discriminate].
    cbn [bind] in C. inversion C; subst. apply sequence_all in K.
    pose proof (fun en d r EN R => selected en d js r es ks EN R K) as X.
    assert (NULLS : of_kinds js (map (fun _ => Q.Null) js)) by (clear; induction js as [|[] js]; constructor; auto).
    eapply (mapped s q (Q.Select es q)) with (g := fun d r => map (Q.value_of d [r]) es); eauto.
    + cbn [typeof]. now destruct (X default_env (fun _ => []) _ default_env_typed NULLS) as (-> & _).
    + intros d r D R. destruct (X (env_of s d) d r (env_typed s d) R) as (_ & E & F). split; auto. exact (f_equal VTup E).
  - destruct (compile s p) as [[a js]|]; [|discriminate]. cbn [bind] in C. destruct (compile s q) as [[b ls]|]; [|discriminate]. cbn [bind] in C.
    destruct (kind_of (js ++ ls) c) as [[]|] eqn:K; try discriminate. inversion C; subst.
    assert (P : means s (Q.Join (Q.Constant Q.Truths (Q.Truth true)) p q) (Op Map [Op Tuple (side (TTup [row_ty js; row_ty ls]) 0 js ++
        side (TTup [row_ty js; row_ty ls]) 1 ls); Op Cartesian [a; b]]) (js ++ ls)).
    { eapply product_ok; eauto. intros d. cbn [Q.answer]. now apply filter_all. }
    eapply filtered; eauto. intros d D. cbn [Q.answer]. f_equal. symmetry. now apply filter_all.
  - destruct (compile s p) as [[a js]|]; [|discriminate]. cbn [bind] in C. destruct (compile s q) as [[b ls]|]; [|discriminate]. cbn [bind] in C.
    destruct (list_eqb kind_eqb js ls) eqn:E; [|discriminate]. apply kinds_eqb_eq in E. inversion C; subst. apply union_ok; auto.
  - destruct (compile s q) as [[b js]|]; [|discriminate]. cbn [bind] in C. inversion C; subst. apply distinct_ok; auto.
  - destruct (compile s q) as [[b ks']|]; [|discriminate]. cbn [bind] in C. destruct (sequence _) as [js|] eqn:K; [|discriminate].
    cbn [bind] in C. match type of C with context [forallb ?f ?l] => destruct (forallb f l) eqn:A end; [|discriminate]. inversion C; subst. apply grouped; auto; [now apply sequence_all|].
    clear -A. unfold numbers. induction cs as [|c cs IH]; cbn [map forallb] in *; constructor; apply andb_true_iff in A as [A1 A2]; auto.
    destruct (kind_of ks' (argument c)) as [[]|]; try discriminate; reflexivity.
Qed.

(** ** Aggregates without GROUP BY: queries that always return one row *)
Definition total (T : ty) (cs : list call) (b : term) : term :=
  Op Fold [Op Tuple (starts cs); step cs; Op Map [Op Tuple (map (cell_of T) (map argument cs)); b]].
Definition over_numbers (ks : list Q.kind) (cs : list call) : bool :=
  forallb (fun c => match kind_of ks (argument c) with Some Q.Numbers => true | _ => false end) cs.
Lemma over_numbers_ok ks cs : over_numbers ks cs = true -> Forall2 (fun e k => kind_of ks e = Some k) (map argument cs) (numbers cs).
Proof.
  unfold over_numbers, numbers. induction cs as [|c cs IH]; cbn [map forallb]; constructor; apply andb_true_iff in H as [A1 A2]; auto.
  destruct (kind_of ks (argument c)) as [[]|]; try discriminate; reflexivity.
Qed.
Lemma summaries_ok d cs rs : (forall r, In r rs -> of_kinds (numbers cs) (arguments d cs r)) ->
  of_kinds (numbers cs) (map (fun c => summary c (map (fun r => Q.value_of d [r] (argument c)) rs)) cs).
Proof.
  intros K. assert (ALL : forall c, In c cs -> of_kind Q.Numbers (summary c (map (fun r => Q.value_of d [r] (argument c)) rs)) = true).
  { intros c C. unfold summary. apply (fold_left_inv (fun v => of_kind Q.Numbers v = true)); [now destruct c as [[] ?]|].
    intros v w I V. apply combined_kind; auto. apply in_map_iff in I as (r & <- & R). specialize (K r R). clear -K C.
    unfold arguments, numbers in K. induction cs as [|c' cs' IH]; [destruct C|]. cbn [map] in K. inversion K; subst. destruct C as [->|C]; auto. }
  clear K. unfold numbers. induction cs as [|c cs IH]; constructor; [apply ALL; cbn; auto|]. apply IH. intros; apply ALL; cbn; auto.
Qed.
Lemma total_ok s q b ks cs : means s q b ks -> Forall2 (fun e k => kind_of ks e = Some k) (map argument cs) (numbers cs) ->
  type (total (row_ty ks) cs b) = Some (row_ty (numbers cs)) /\ forall d, Q.conforms s d -> exists r, Q.answer d [] (Q.Total cs q) = [r] /\
    of_kinds (numbers cs) r /\ meaning (env_of s d) (total (row_ty ks) cs b) = enc (numbers cs) r.
Proof.
  intros [B H] A. set (ns := numbers cs).
  assert (NULLS : of_kinds ks (map (fun _ => Q.Null) ks)) by (clear; induction ks as [|[] ks]; constructor; auto).
  split.
  - unfold total, type in *. cbn [typeof]. rewrite (proj1 (starts_are default_env cs)), B.
    destruct (selected default_env (fun _ => []) ks _ _ _ default_env_typed NULLS A) as (S1 & _). rewrite S1.
    fold ns. fold (row_ty ns). unfold ns. rewrite step_type. cbn [is]. now rewrite ty_eqb_refl.
  - intros d D. destruct (H d D) as [K P]. set (rs := Q.answer d [] q) in *. set (en := env_of s d) in *. assert (EN : typed en) by apply env_typed.
    set (F := Op Tuple (map (cell_of (row_ty ks)) (map argument cs))).
    assert (KK : forall x, In x rs -> of_kinds ns (arguments d cs x) /\ eval en (enc ks x) nothing F = enc ns (arguments d cs x)).
    { intros x X. rewrite Forall_forall in K. destruct (selected en d ks x _ _ EN (K x X) A) as (_ & S3 & S4).
      rewrite (map_map argument (Q.value_of d [x])) in S3, S4. split; [exact S4|]. exact (f_equal VTup S3). }
    assert (FP : Permutation (elements (meaning en (Op Map [F; b]))) (map (fun x => enc ns (arguments d cs x)) rs)).
    { unfold meaning. cbn [run]. etransitivity; [apply elements_bag|]. etransitivity; [apply Permutation_map; exact P|]. rewrite map_map.
      apply Permutation_refl', map_ext_in. intros x X. apply KK; auto. }
    destruct (Permutation_map_inv _ _ FP) as (l & EL & L).
    assert (LR : forall x, In x l -> In x rs) by (intros x X; exact (Permutation_in _ (Permutation_sym L) X)).
    destruct (starts_are en cs) as (_ & S2 & S3).
    exists (map (fun c => summary c (map (fun r => Q.value_of d [r] (argument c)) rs)) cs). split; [|split].
    + cbn [Q.answer]. f_equal. apply map_ext. intros c. apply summary_is.
    + apply summaries_ok. intros x X. now apply KK.
    + transitivity (fold_left (fun m x => eval en x m (step cs)) (elements (meaning en (Op Map [F; b]))) (enc ns (map start cs))).
      { unfold enc. unfold ns. rewrite <- S2. reflexivity. }
      rewrite EL, <- (map_map (fun r => arguments d cs r) (enc ns)). unfold ns. rewrite fold_is; auto.
      2: { apply Forall_map, Forall_forall. intros x X. now destruct (KK x (LR x X)). }
      f_equal. rewrite fold_columns. apply map_ext_in. intros c C. symmetry. apply (summary_perm c); [now apply Permutation_map|].
      intros v V. apply in_map_iff in V as (x & <- & X). destruct (KK x X) as [KA _]. clear -KA C. unfold arguments in KA.
      revert KA. unfold ns, numbers. induction cs as [|c' cs' IH]; [destruct C|]. cbn [map]. intros KA. inversion KA; subst. destruct C as [->|C]; auto.
Qed.

(** The row of such a query, as a value. *)
Fixpoint one_row (s : Q.schema) (q : Q.query) : option (term * list Q.kind) := match q with
  | Q.Total cs q => bind (compile s q) (fun '(b, ks) => when (over_numbers ks cs) (Some (total (row_ty ks) cs b, numbers cs)))
  | Q.Select es q => bind (one_row s q) (fun '(v, ks) => bind (sequence (map (kind_of ks) es)) (fun js =>
      Some (apply (Some v) None (Op Tuple (map (cell_of (row_ty ks)) es)), js)))
  | _ => None
  end.
Theorem one_row_ok s q : forall t ks, one_row s q = Some (t, ks) ->
  type t = Some (row_ty ks) /\ forall d, Q.conforms s d -> exists r, Q.answer d [] q = [r] /\ of_kinds ks r /\ meaning (env_of s d) t = enc ks r.
Proof.
  induction q; intros t ks; cbn [one_row]; try discriminate.
  - destruct (one_row s q) as [[v js]|]; [|discriminate]. cbn [bind]. destruct (sequence _) as [ls|] eqn:K; [|discriminate].
    cbn [bind]. intros [= <- <-]. destruct (IHq _ _ eq_refl) as [TV H]. apply sequence_all in K.
    assert (X : forall en, typed en -> forall d r, of_kinds js r -> meaning en v = enc js r ->
        type (apply (Some v) None (Op Tuple (map (cell_of (row_ty js)) columns))) = Some (row_ty ls) /\
        meaning en (apply (Some v) None (Op Tuple (map (cell_of (row_ty js)) columns))) = enc ls (map (Q.value_of d [r]) columns) /\
        of_kinds ls (map (Q.value_of d [r]) columns)).
    { intros en EN d r R M. destruct (selected en d js r columns ls EN R K) as (S1 & S2 & S3).
      destruct (apply_ok en EN (Op Tuple (map (cell_of (row_ty js)) columns)) (Some (row_ty js)) None (enc js r) nothing (Some v) None (row_ty ls)) as [A1 A2].
      - apply enc_typed. - exact I. - split; auto. - exact I.
      - cbn [typeof]. now rewrite S1.
      - split; [exact A1|split; [|exact S3]]. rewrite A2. exact (f_equal VTup S2). }
    split.
    + assert (NULLS : of_kinds js (map (fun _ => Q.Null) js)) by (clear; induction js as [|[] js]; constructor; auto).
      destruct (selected default_env (fun _ => []) js _ columns ls default_env_typed NULLS K) as (S1 & _).
      apply (apply_ok default_env default_env_typed (Op Tuple (map (cell_of (row_ty js)) columns)) (Some (row_ty js)) None (meaning default_env v) nothing (Some v) None (row_ty ls)).
      * now apply typed_meaning; [apply default_env_typed|].
      * exact I. * split; auto. * exact I.
      * cbn [typeof]. now rewrite S1.
    + intros d D. destruct (H d D) as (r & E & R & M). exists (map (Q.value_of d [r]) columns). cbn [Q.answer]. rewrite E. cbn [map].
      destruct (X (env_of s d) (env_typed s d) d r R M) as (_ & X2 & X3). auto.
  - destruct (compile s q) as [[b js]|] eqn:C; [|discriminate]. cbn [bind]. destruct (over_numbers js calls) eqn:A; [|discriminate]. cbn [when].
    intros [= <- <-]. apply total_ok; [now apply compile_ok|now apply over_numbers_ok].
Qed.

(** ** The checker, and what it proves *)
Definition check_queries (fuel : nat) (s : Q.schema) (p q : Q.query) (by_ : proof) : bool :=
  match one_row s p, one_row s q with
  | Some (a, js), Some (b, ks) => list_eqb kind_eqb js ks && proves fuel tt' a b by_
  | _, _ => match compile s p, compile s q with
      | Some (a, js), Some (b, ks) => list_eqb kind_eqb js ks && proves fuel tt' a b by_
      | _, _ => false end
  end.
Lemma rows_sound fuel s p q by_ a b js ks : one_row s p = Some (a, js) -> one_row s q = Some (b, ks) ->
  list_eqb kind_eqb js ks && proves fuel tt' a b by_ = true -> Q.same_answers s p q.
Proof.
  intros A B. rewrite andb_true_iff. intros [E P] d D. apply kinds_eqb_eq in E. subst ks.
  destruct (proj2 (one_row_ok _ _ _ _ A) d D) as (r & R1 & R2 & R3), (proj2 (one_row_ok _ _ _ _ B) d D) as (t & T1 & T2 & T3).
  rewrite R1, T1. rewrite (proves_ok _ _ _ _ _ P _ (env_typed s d) eq_refl), T3 in R3. now rewrite (enc_injective js t r T2 R2 R3).
Qed.
Lemma bags_sound fuel s p q by_ a b js ks : compile s p = Some (a, js) -> compile s q = Some (b, ks) ->
  list_eqb kind_eqb js ks && proves fuel tt' a b by_ = true -> Q.same_answers s p q.
Proof.
  intros A B. rewrite andb_true_iff. intros [E P]. apply kinds_eqb_eq in E. subst ks. intros d D.
  destruct (compile_ok _ _ _ _ A) as [_ HA], (compile_ok _ _ _ _ B) as [_ HB]. destruct (HA d D) as [KA PA], (HB d D) as [KB PB].
  rewrite (proves_ok _ _ _ _ _ P _ (env_typed s d) eq_refl) in PA.
  assert (M : Permutation (map (enc js) (Q.answer d [] p)) (map (enc js) (Q.answer d [] q))) by (etransitivity; [symmetry; exact PA|exact PB]).
  symmetry in M. apply Permutation_map_inv in M as (l & M & L). 
  assert (G : Q.answer d [] q = l); [|congruence || (rewrite G; exact L)].
  assert (KL : Forall (of_kinds js) l) by (eapply Permutation_Forall; [exact L|exact KA]).
  clear -KB KL M. revert l KL M. induction KB as [|r k R K IH]; intros [|r' l] KL M; try discriminate; auto.
  cbn [map] in M. apply Forall_cons_iff in KL as [R' KL]. injection M as M1 M2. f_equal; [|now apply IH]. 
  apply (enc_injective js); auto. unfold enc. congruence.
Qed.
Theorem queries_sound fuel s p q by_ : check_queries fuel s p q by_ = true -> Q.same_answers s p q.
Proof.
  unfold check_queries. destruct (one_row s p) as [[a js]|] eqn:A; [destruct (one_row s q) as [[b ks]|] eqn:B|].
  { now apply rows_sound. }
  all: destruct (compile s p) as [[a' js']|] eqn:C; [|discriminate]; destruct (compile s q) as [[b' ks']|] eqn:D; [|discriminate]; now apply bags_sound.
Qed.

(** A database on which the answers differ: the rows of each table. *)
Definition tables := list (string * list Q.row).
Definition database_of (w : tables) : Q.database := fun t => match find (fun x => String.eqb (fst x) t) w with Some x => snd x | None => [] end.
Definition admits_b (c : column) (v : Q.value) : bool := match v with Q.Null => snd c | _ => of_kind (fst c) v end.
Definition conforms_b (s : Q.schema) (w : tables) : bool := forallb (fun t => forallb (fun r => all2 admits_b (snd t) r) (database_of w (fst t))) s.
Definition occurrences (l : list Q.row) (r : Q.row) := count_occ Q.row_eq_dec l r.
Definition differ_queries (s : Q.schema) (p q : Q.query) (w : tables) : bool :=
  conforms_b s w && let a := Q.answer (database_of w) [] p in let b := Q.answer (database_of w) [] q in
  existsb (fun r => negb (Nat.eqb (occurrences a r) (occurrences b r))) (a ++ b).
Theorem queries_differ s p q w : differ_queries s p q w = true -> Q.different_answers s p q.
Proof.
  unfold differ_queries. rewrite andb_true_iff, existsb_exists. intros [C (r & _ & O)]. exists (database_of w). split.
  - intros t cs r' T R. unfold conforms_b in C. rewrite forallb_forall in C. specialize (C _ T). rewrite forallb_forall in C. specialize (C _ R).
    cbn [snd] in C. clear -C. revert r' C; induction cs as [|[k b] cs IH]; intros [|v r']; cbn; try discriminate; constructor.
    + apply andb_true_iff in C as [C _]. destruct k, v; cbn in *; auto; discriminate.
    + apply IH. now apply andb_true_iff in C as [_ C].
  - intros P. apply negb_true_iff, Nat.eqb_neq in O. apply O. now apply (Permutation_count_occ Q.row_eq_dec).
Qed.
