(** * NOAGG: values, and bags without aggregates

    Two lists of monomials make the same bag when a matching pairs them off, element by element; or when, for each index
    set, the values under all permutations of the slots are the same multiset (THEORY section 3). *)
From Tallystick Require Export Rules.

(** For values: NOAGG says that they are equal. *)
Definition values (fuel : nat) (G P Q : term) (evidence : tree) := refutes fuel (implies G (eq' P Q)) evidence.
Theorem values_ok fuel G P Q evidence : goal_ok G P Q = true -> values fuel G P Q evidence = true -> judged G P Q.
Proof.
  unfold goal_ok. rewrite !andb_true_iff. intros ((((PG & PP) & PQ) & TG) & TQ) V r R HG.
  destruct (type P) as [t|] eqn:TP; [|discriminate]. apply is_eq in TQ, TG.
  apply refutes_ok in V as [_ V]. specialize (V r R). destruct (eq_ok r P Q t R TP TQ) as [E1 E2].
  rewrite (proj2 (implies_ok r _ _ R TG E1)), HG, E2 in V. now apply veqb_eq.
Qed.


(** ** With a matching *)
Definition is_permutation (l : list nat) (n : nat) := Nat.eqb (List.length l) n && forallb (fun i => existsb (Nat.eqb i) l) (seq 0 n).
Lemma is_permutation_ok l n : is_permutation l n = true -> Permutation (seq 0 n) l.
Proof.
  unfold is_permutation. rewrite andb_true_iff, Nat.eqb_eq, forallb_forall. intros [L H].
  apply NoDup_Permutation_bis; [apply seq_NoDup|rewrite seq_length; lia|]. intros i I. specialize (H i I).
  apply existsb_exists in H as (j & J & E). apply Nat.eqb_eq in E. now subst.
Qed.
Lemma map_nth_seq {A} (l : list A) d : map (fun i => nth i l d) (seq 0 (List.length l)) = l.
Proof. induction l as [|x l IH]; cbn; auto. f_equal. rewrite <- seq_shift, map_map. exact IH. Qed.
Definition no_slot : slot := (Post, TInt, O).
Definition no_mono := {| slots := []; present := ff'; result := ff' |}.
(** A monomial with each slot put into the place that [places] says. *)
Definition moved (m : mono) (places : list nat) : list slot := map (fun i => nth i (slots m) no_slot) places.
Definition permuted (m : mono) (places : list nat) : mono := put_mono (combine (slots m) (moved m places)) m.
Definition may_move (m : mono) (places : list nat) : bool :=
  is_permutation places (List.length (slots m)) && all2 same_bagb (slots m) (moved m places).
Definition matched (G : term) (m o : mono) : list term :=
  [implies (conj [G; present m]) (conj [present o; eq' (result m) (result o)]);
   implies (conj [G; present o]) (present m)].
Definition partners (rs : list mono) (matching : list (nat * list nat)) :=
  map (fun ip => (nth (fst ip) rs no_mono, snd ip)) matching.
Definition matched_premises (G : term) (ls rs : list mono) (matching : list (nat * list nat)) : list term :=
  flat_map (fun mop => matched G (fst mop) (permuted (fst (snd mop)) (snd (snd mop)))) (combine ls (partners rs matching)).
Definition matching_ok (ls rs : list mono) (matching : list (nat * list nat)) : bool :=
  Nat.eqb (List.length ls) (List.length rs) && is_permutation (map fst matching) (List.length rs) &&
  all2 (fun m op => slots_eqb (slots m) (slots (fst op)) && may_move (fst op) (snd op)) ls (partners rs matching).

Lemma same_out G m o t : well t m -> well t o -> bool_term G -> (forall p, In p (matched G m o) -> valid p) ->
  forall r, typed r -> toB (meaning r G) = true -> out r m = out r o.
Proof.
  intros [Wm1 Wm2] [Wo1 Wo2] WG V r R HG. unfold matched in V.
  pose proof (V _ (or_introl eq_refl) r R) as V1. pose proof (V _ (or_intror (or_introl eq_refl)) r R) as V2. clear V.
  destruct (conj_list_ok r [G; present m] R) as [C1 C2]; [now repeat constructor|].
  destruct (conj_list_ok r [G; present o] R) as [D1 D2]; [now repeat constructor|].
  destruct (eq_ok r (result m) (result o) t R Wm1 Wo1) as [E1 E2].
  destruct (conj_list_ok r [present o; eq' (result m) (result o)] R) as [F1 F2]; [now repeat constructor|].
  rewrite (proj2 (implies_ok r _ _ R C1 F1)), C2, F2 in V1. rewrite (proj2 (implies_ok r _ _ R D1 Wm2)), D2 in V2.
  cbn [map forallb] in *. rewrite HG, E2, ?andb_true_r in *. cbn [andb] in *. unfold out.
  destruct (toB (meaning r (present m))); cbn [implb] in *.
  - apply andb_true_iff in V1 as [-> V1]. apply veqb_eq in V1. now rewrite V1.
  - destruct (toB (meaning r (present o))); [discriminate|auto].
Qed.


Lemma all2_Forall2 {A B} (p : A -> B -> bool) l k : all2 p l k = true -> Forall2 (fun x y => p x y = true) l k.
Proof. revert k; induction l; destruct k; cbn; try discriminate; constructor; rewrite andb_true_iff in H; intuition. Qed.
Lemma may_move_ok m places : may_move m places = true ->
  Permutation (slots m) (moved m places) /\ Forall2 same_bags (slots m) (moved m places) /\ typed_places (combine (slots m) (moved m places)).
Proof.
  unfold may_move. rewrite andb_true_iff. intros [P B]. apply is_permutation_ok in P. apply all2_Forall2 in B.
  assert (F : Forall2 same_bags (slots m) (moved m places)).
  { clear -B. induction B; constructor; auto. now apply same_bagb_eq. }
  repeat split; auto.
  - unfold moved. etransitivity; [|apply Permutation_map, P]. rewrite map_nth_seq. reflexivity.
  - clear -F. unfold typed_places. induction F; cbn; constructor; auto. cbn. unfold same_bags in H. unfold slot_type. now rewrite H.
Qed.
Lemma partners_perm rs matching : Permutation (seq 0 (List.length rs)) (map fst matching) ->
  Permutation rs (map fst (partners rs matching)).
Proof.
  intros P. unfold partners. rewrite map_map. cbn [fst]. rewrite <- (map_nth_seq rs no_mono) at 1.
  etransitivity; [apply Permutation_map, P|]. now rewrite map_map.
Qed.

Lemma matched_same G ls rs matching t r : Forall (well t) ls -> Forall (well t) rs -> Forall indexed ls -> Forall indexed rs ->
  bool_term G -> plain G = true -> matching_ok ls rs matching = true ->
  (forall p, In p (matched_premises G ls rs matching) -> valid p) -> typed r -> toB (meaning r G) = true ->
  Permutation (flat_map (outs r r) ls) (flat_map (outs r r) rs).
Proof.
  intros WL WR XL XR TG PG OK V R HG. unfold matching_ok in OK. rewrite !andb_true_iff in OK. destruct OK as [[LEN PERM] SAME].
  apply is_permutation_ok, partners_perm in PERM. apply all2_Forall2 in SAME.
  etransitivity; [|symmetry; apply flat_map_perm; exact PERM].
  assert (WR' : Forall (well t) (map fst (partners rs matching))) by (eapply Permutation_Forall; eauto).
  assert (XR' : Forall indexed (map fst (partners rs matching))) by (eapply Permutation_Forall; eauto).
  unfold matched_premises in V. clear PERM LEN WR XR. revert V WR' XR' WL XL.
  induction SAME as [|m [o places] ls' k B _ IH]; cbn [map combine flat_map]; intros V WR XR WL XL; auto.
  inversion WR; inversion XR; inversion WL; inversion XL; subst. cbn [fst snd] in *. apply andb_true_iff in B as [B1 B2].
  apply slots_eqb_eq in B1. destruct (may_move_ok _ _ B2) as (M1 & M2 & M3).
  apply Permutation_app; [|apply IH; auto; intros p Hp; apply V; apply in_or_app; auto].
  set (l := combine (slots o) (moved o places)). unfold outs. rewrite B1.
  transitivity (flat_map (fun r' => out (renamed l r') o) (assign r r (slots o))).
  - apply flat_map_same. intros r' R'. apply assign_spec in R' as (R' & A' & _); auto using agree_self.
    destruct (out_put l r' o t) as [W' E]; auto. rewrite <- E.
    rewrite (same_out G m (put_mono l o) t); auto.
    + intros p Hp. apply V. apply in_or_app. auto.
    + rewrite (plain_meaning r r' G A' PG). exact HG.
  - match goal with X : indexed o |- _ => destruct X as [X1 X2 X3 _] end.
    apply (rename_slots (fun r' => out r' o)); auto. now apply out_local.
Qed.

(** ** By counting *)
Definition same_index (ss : list slot) (m : mono) := slots_eqb (slots m) ss.
(** How often the value of [m] occurs among those of [among], of its index set, under all permutations of its slots. *)
Definition occurrence (m o : mono) (ts : list slot) : term :=
  let o := put_mono (combine (slots m) ts) o in ite (conj [present o; eq' (result o) (result m)]) (Int 1) (Int 0).
Definition occurrences (m : mono) (among : list mono) : term :=
  Op Add ([Int 0; Int 0] ++ flat_map (fun o => map (occurrence m o) (arrangements (slots m) (slots m)))
    (filter (same_index (slots m)) among)).
Definition counted (G : term) (here there : list mono) : list term :=
  map (fun m => implies (conj [G; present m]) (eq' (occurrences m there) (occurrences m here))) here.
Definition counted_premises (G : term) (ls rs : list mono) : list term := counted G ls rs ++ counted G rs ls.

Definition val_dec (v w : val) : {v = w} + {v <> w}.
Proof. destruct (veqb v w) eqn:E; [left; now apply veqb_eq|right; now apply veqb_neq]. Defined.
Notation count l w := (count_occ val_dec l w).
Lemma count_perm l k w : Permutation l k -> count l w = count k w.
Proof. intros P. now apply Permutation_count_occ. Qed.
Lemma count_flat_map {A} (f g : A -> list val) w l : (forall x, In x l -> count (f x) w = count (g x) w) ->
  count (flat_map f l) w = count (flat_map g l) w.
Proof.
  induction l as [|x l IH]; cbn; auto. intros H. rewrite !count_occ_app, IH by (intros; apply H; auto). now rewrite (H x) by auto.
Qed.
Lemma count_times {A} (ts : list A) l w : count (flat_map (fun _ => l) ts) w = (List.length ts * count l w)%nat.
Proof. induction ts; cbn; auto. now rewrite count_occ_app, IHts. Qed.

(** Values under all permutations of the slots. *)
Definition all_ways (ss : list slot) (r : env) (o : mono) : list val :=
  flat_map (fun ts => out (renamed (combine ss ts) r) o) (arrangements ss ss).
Definition ways (ss : list slot) (among : list mono) (r : env) : list val := flat_map (all_ways ss r) (filter (same_index ss) among).

Lemma arrangement_typed ss ts : In ts (arrangements ss ss) -> typed_places (combine ss ts).
Proof.
  intros I. apply arrangements_spec in I as [_ F]. unfold typed_places. induction F; cbn; constructor; auto.
  cbn. unfold same_bags in H. unfold slot_type. now rewrite H.
Qed.
Lemma occurrence_ok r t m o ts : typed r -> well t m -> well t o -> In ts (arrangements (slots m) (slots m)) ->
  type (occurrence m o ts) = Some TInt /\
  toZ (meaning r (occurrence m o ts)) = Z.of_nat (count (out (renamed (combine (slots m) ts) r) o) (meaning r (result m))).
Proof.
  intros R [W1 W2] WO T. unfold occurrence. cbv zeta. set (o' := put_mono (combine (slots m) ts) o).
  destruct (out_put (combine (slots m) ts) r o t R (arrangement_typed _ _ T) WO) as [[V1 V2] E]. fold o' in V1, V2, E.
  destruct (eq_ok r (result o') (result m) t R V1 W1) as [E1 E2].
  destruct (conj_list_ok r [present o'; eq' (result o') (result m)] R) as [C1 C2]; [repeat constructor; auto|].
  destruct (ite_ok r (conj [present o'; eq' (result o') (result m)]) (Int 1) (Int 0) TInt R C1 eq_refl eq_refl) as [I1 I2].
  split; [exact I1|]. rewrite I2, C2. cbn [map forallb]. rewrite E2, andb_true_r, <- E. unfold out.
  destruct (toB (meaning r (present o'))); cbn [andb]; [|reflexivity]. cbn [count_occ].
  destruct (val_dec (meaning r (result o')) (meaning r (result m))) as [Q|Q].
  - rewrite (proj2 (veqb_eq _ _) Q). reflexivity.
  - rewrite (proj2 (veqb_neq _ _) Q). reflexivity.
Qed.
Definition sum_of (r : env) (items : list term) : Z := fold_right Z.add 0 (map toZ (map (meaning r) items)).
Lemma sum_app r l k : sum_of r (l ++ k) = sum_of r l + sum_of r k.
Proof. unfold sum_of. induction l as [|x l IH]; cbn [map app fold_right]; [lia|]. rewrite IH. lia. Qed.
Lemma occurrences_ok r t m among : typed r -> well t m -> Forall (well t) among ->
  type (occurrences m among) = Some TInt /\
  toZ (meaning r (occurrences m among)) = Z.of_nat (count (ways (slots m) among r) (meaning r (result m))).
Proof.
  intros R W WA. set (ss := slots m). set (items := flat_map (fun o => map (occurrence m o) (arrangements ss ss)) (filter (same_index ss) among)).
  assert (K : Forall (fun i => type i = Some TInt) items /\ sum_of r items = Z.of_nat (count (ways ss among r) (meaning r (result m)))).
  { unfold items, ways, all_ways. assert (IF : forall o, In o (filter (same_index ss) among) -> well t o).
    { intros o. rewrite filter_In. rewrite Forall_forall in WA. intros [O _]. auto. }
    induction (filter (same_index ss) among) as [|o l IH]; cbn [flat_map]; [split; auto; constructor|].
    destruct IH as [IH1 IH2]; [intros; apply IF; cbn; auto|]. assert (O : well t o) by (apply IF; cbn; auto).
    assert (A : forall tss, (forall ts, In ts tss -> In ts (arrangements ss ss)) ->
       Forall (fun i => type i = Some TInt) (map (occurrence m o) tss) /\
       sum_of r (map (occurrence m o) tss) = Z.of_nat (count (flat_map (fun ts => out (renamed (combine ss ts) r) o) tss) (meaning r (result m)))).
    { clear IH1 IH2 IF. induction tss as [|ts l' IHl]; intros H; [split; auto; constructor|].
      destruct IHl as [A1 A2]; [intros; apply H; cbn; auto|]. destruct (occurrence_ok r t m o ts R W O (H ts (or_introl eq_refl))) as [B1 B2]. split.
      - constructor; auto.
      - cbn [map flat_map]. rewrite count_occ_app, Nat2Z.inj_add, <- A2. fold ss in B2. rewrite <- B2. reflexivity. }
    destruct (A (arrangements ss ss) (fun _ H => H)) as [A1 A2]. split; [apply Forall_app; auto|].
    rewrite sum_app, count_occ_app, Nat2Z.inj_add. rewrite A2, IH2. reflexivity. }
  destruct K as [K1 K2]. unfold occurrences. fold ss. fold items. split.
  - unfold type. cbn [typeof]. replace (forallb _ _) with true; auto. symmetry. apply forallb_forall. intros q Q.
    apply in_map_iff in Q as (i & <- & I). apply is_eq. destruct I as [<-|[<-|I]]; auto. rewrite Forall_forall in K1. now apply K1.
  - rewrite <- K2. transitivity (sum_of r ([Int 0; Int 0] ++ items)); [reflexivity|]. now rewrite sum_app.
Qed.

(** Each value counts as often as there are permutations. *)
Lemma ways_total r ss among : typed r -> NoDup ss -> Forall indexed among -> forall w,
  count (flat_map (ways ss among) (assign r r ss)) w =
  (List.length (arrangements ss ss) * count (flat_map (outs r r) (filter (same_index ss) among)) w)%nat.
Proof.
  intros R N X w. rewrite <- count_times. apply count_perm. unfold ways, all_ways.
  etransitivity; [apply flat_map_swap|].
  etransitivity; [|apply (flat_map_swap (fun o ts => outs r r o))].
  apply flat_map_same. intros o O. apply filter_In in O as [O E]. apply slots_eqb_eq in E.
  etransitivity; [apply flat_map_swap|]. apply flat_map_same. intros ts T. apply arrangements_spec in T as [T1 T2].
  unfold outs. rewrite E. rewrite Forall_forall in X. destruct (X o O) as [X1 X2 X3 _].
  apply (rename_slots (fun r' => out r' o)); auto. rewrite <- E. now apply out_local.
Qed.
(** Permuting the slots once more gives the same values. *)
Definition move (ss ts : list slot) (s : slot) : slot :=
  match find (fun p => slot_eqb s (fst p)) (combine ss ts) with Some p => snd p | None => s end.
Lemma nodup_map_in {A B} (g : A -> B) l : NoDup l -> (forall x y, In x l -> In y l -> g x = g y -> x = y) -> NoDup (map g l).
Proof.
  induction 1 as [|x l X N IH]; cbn; intros H; constructor; auto.
  intros I. apply in_map_iff in I as (y & E & Y). apply X. rewrite (H x y); auto.
Qed.
Lemma map_move ss ts : NoDup ss -> List.length ss = List.length ts -> map (move ss ts) ss = ts.
Proof.
  intros N. revert ts; induction N as [|s ss S N IH]; intros [|t ts] L; try discriminate; auto. cbn [map]. unfold move at 1. cbn [combine find fst].
  rewrite slot_eqb_refl. cbn [snd]. f_equal. injection L as L. rewrite <- (IH ts L) at 2. apply map_ext_in. intros x X.
  unfold move. cbn [combine find fst]. destruct (slot_eqb x s) eqn:E; auto. apply slot_eqb_eq in E. subst. tauto.
Qed.
Lemma move_inj ss ts : NoDup ss -> NoDup ts -> List.length ss = List.length ts -> forall x y, In x ss -> In y ss -> move ss ts x = move ss ts y -> x = y.
Proof.
  intros NS NT L. rewrite <- (map_move ss ts NS L) in NT. clear L. set (f := move ss ts) in *. clearbody f.
  induction ss as [|s ss IH]; cbn in *; [tauto|]. inversion NT; inversion NS; subst. intros x y [<-|X] [<-|Y] E; auto.
  - exfalso. apply H1. rewrite E. now apply in_map.
  - exfalso. apply H1. rewrite <- E. now apply in_map.
Qed.
Lemma arrangements_closed ss ts : NoDup ss -> In ts (arrangements ss ss) ->
  Permutation (map (map (move ss ts)) (arrangements ss ss)) (arrangements ss ss).
Proof.
  intros N I. apply arrangements_spec in I as [P B]. assert (NT : NoDup ts) by (eapply Permutation_NoDup; eauto).
  pose proof (Forall2_len _ _ _ B) as L.
  assert (KB : forall s, In s ss -> same_bags s (move ss ts s)).
  { intros s S. unfold move. destruct (in_combine_fst ss ts s L S) as (t & T). rewrite (find_combine _ _ _ N _ T). cbn [snd].
    clear -B T. revert T. induction B; cbn; [tauto|]. intros [E|T]; auto. inversion E; now subst. }
  apply NoDup_Permutation_bis.
  - apply nodup_map_in; [now apply arrangements_nodup|]. intros x y X Y E. apply arrangements_spec in X as [X _], Y as [Y _].
    assert (IX : forall s, In s x -> In s ss) by (intros; eapply Permutation_in; [symmetry; exact X|auto]).
    assert (IY : forall s, In s y -> In s ss) by (intros; eapply Permutation_in; [symmetry; exact Y|auto]).
    clear X Y. revert y E IY. induction x as [|a x IHx]; intros [|b y] E IY; try discriminate; auto. injection E as E1 E2.
    f_equal; [apply (move_inj ss ts); auto; [apply IX|apply IY]; cbn; auto|]. apply IHx; auto; intros; [apply IX|apply IY]; cbn; auto.
  - now rewrite map_length.
  - intros us U. apply in_map_iff in U as (x & <- & X). apply arrangements_spec in X as [X1 X2]. apply arrangements_spec. split.
    + etransitivity; [exact P|]. rewrite <- (map_move ss ts N L) at 1. now apply Permutation_map.
    + assert (IX : forall s, In s x -> In s ss) by (intros; eapply Permutation_in; [symmetry; exact X1|auto]).
      assert (KX : forall s, In s x -> same_bags s (move ss ts s)) by auto. revert KX. generalize (move ss ts) as f. clear -X2. intros f KX.
      induction X2; cbn; constructor.
      * unfold same_bags in *. rewrite H. apply KX. cbn; auto.
      * apply IHX2. intros; apply KX; cbn; auto.
Qed.
Lemma renamed_twice ss ts us r : NoDup ss -> Permutation ss us -> Forall2 same_bags ss us -> List.length ss = List.length ts -> Forall2 same_bags ss ts ->
  alike ss (renamed (combine ss us) (renamed (combine ss ts) r)) (renamed (combine ss (map (move ss ts) us)) r).
Proof.
  intros N P B L BT. split; [intros; now rewrite !renamed_plain|]. intros s S.
  destruct (in_combine_fst ss us s (Forall2_len _ _ _ B) S) as (u & U). assert (IU : In u ss) by (eapply Permutation_in; [symmetry; exact P|eapply in_combine_r; eauto]).
  assert (TU : slot_type u = slot_type s).
  { clear -B U. revert U. induction B; cbn; [tauto|]. intros [E|I]; auto. inversion E; subst. unfold same_bags in H. unfold slot_type. now rewrite H. }
  unfold at_slot at 1. unfold renamed at 1. rewrite place_slot, (find_combine _ _ _ N _ U). cbn [snd].
  rewrite <- TU. fold (at_slot (renamed (combine ss ts) r) u).
  assert (C : In (s, move ss ts u) (combine ss (map (move ss ts) us))).
  { clear -U. generalize (move ss ts) as f. intros f. revert us U.
    induction ss; intros [|c us]; cbn; try tauto. intros [E|I]; [inversion E; subst; auto|right; auto]. }
  unfold at_slot at 2. unfold renamed at 2. rewrite place_slot, (find_combine _ _ _ N _ C). cbn [snd].
  unfold at_slot, renamed. rewrite place_slot. unfold move at 1. destruct (in_combine_fst ss ts u L IU) as (v & V).
  rewrite (find_combine _ _ _ N _ V). cbn [snd]. now rewrite TU.
Qed.
Lemma ways_moved ss ts among r : NoDup ss -> Forall indexed among -> In ts (arrangements ss ss) ->
  forall w, count (ways ss among (renamed (combine ss ts) r)) w = count (ways ss among r) w.
Proof.
  intros N X I w. apply count_flat_map. intros o O. apply filter_In in O as [O E]. apply slots_eqb_eq in E.
  rewrite Forall_forall in X. destruct (X o O) as [_ X2 X3 _]. rewrite E in X2, X3. pose proof (out_local ss o X2 X3) as LO.
  apply count_perm. unfold all_ways. pose proof I as J. apply arrangements_spec in J as [P B].
  transitivity (flat_map (fun us => out (renamed (combine ss (map (move ss ts) us)) r) o) (arrangements ss ss)).
  - apply flat_map_same. intros us U. apply arrangements_spec in U as [U1 U2]. rewrite (LO _ _ (renamed_twice ss ts us r N U1 U2 (Forall2_len _ _ _ B) B)). reflexivity.
  - rewrite <- (flat_map_map (fun us => out (renamed (combine ss us) r) o) (map (move ss ts))).
    apply flat_map_perm. now apply arrangements_closed.
Qed.

(** On one assignment, both sides have each value equally often. *)
Lemma counted_valid G t ls rs r w : Forall (well t) ls -> Forall (well t) rs -> Forall indexed ls -> Forall indexed rs ->
  bool_term G -> plain G = true -> (forall p, In p (counted G ls rs) -> valid p) ->
  forall ss r', typed r' -> agree r r' -> toB (meaning r G) = true -> NoDup ss ->
  In w (ways ss ls r') -> count (ways ss rs r') w = count (ways ss ls r') w.
Proof.
  intros WL WR XL XR TG PG V ss r' R' A' HG N I. unfold ways in I. apply in_flat_map in I as (m & M & I). apply filter_In in M as [M E].
  apply slots_eqb_eq in E. unfold all_ways in I. apply in_flat_map in I as (ts & T & I). set (r'' := renamed (combine ss ts) r').
  rewrite <- (ways_moved ss ts rs r' N XR T w), <- (ways_moved ss ts ls r' N XL T w). fold r'' in I |- *.
  assert (R'' : typed r'') by now apply renamed_typed.
  assert (A'' : agree r r'') by (intros y u Y; unfold r''; rewrite renamed_plain; auto).
  unfold out in I. destruct (toB (meaning r'' (present m))) eqn:PR; [|destruct I]. destruct I as [<-|[]].
  assert (Q : valid (implies (conj [G; present m]) (eq' (occurrences m rs) (occurrences m ls)))).
  { apply V. unfold counted. apply in_map_iff. eauto. }
  specialize (Q r'' R''). pose proof (proj1 (Forall_forall _ _) WL m M) as WM.
  destruct (occurrences_ok r'' t m rs R'' WM WR) as [O1 O2]. destruct (occurrences_ok r'' t m ls R'' WM WL) as [O3 O4].
  destruct (conj_list_ok r'' [G; present m] R'') as [C1 C2]; [repeat constructor; auto; apply WM|].
  destruct (eq_ok r'' _ _ TInt R'' O1 O3) as [E1 E2].
  rewrite (proj2 (implies_ok r'' _ _ R'' C1 E1)), C2, E2 in Q. cbn [map forallb] in Q.
  rewrite (plain_meaning r r'' G A'' PG), HG, PR in Q. cbn [andb implb] in Q. apply veqb_eq in Q. rewrite Q in O2. rewrite E in O2, O4. lia.
Qed.

Fixpoint groups (l : list (list slot)) : list (list slot) :=
  match l with [] => [] | s :: r => s :: filter (fun t => negb (slots_eqb s t)) (groups r) end.
Lemma groups_in l s : In s (groups l) <-> In s l.
Proof.
  induction l as [|t l IH]; cbn; [tauto|]. rewrite filter_In, IH. destruct (slots_eqb t s) eqn:E; cbn.
  - apply slots_eqb_eq in E. subst. intuition congruence.
  - intuition.
Qed.
Lemma groups_nodup l : NoDup (groups l).
Proof.
  induction l as [|t l IH]; cbn; constructor; [|now apply NoDup_filter'].
  rewrite filter_In. intros [_ N]. now rewrite (proj2 (slots_eqb_eq _ _) eq_refl) in N.
Qed.
Lemma flat_map_once {B} s (x : list B) l : NoDup l -> In s l -> flat_map (fun t => if slots_eqb s t then x else []) l = x.
Proof.
  induction 1 as [|t l NI N IH]; [intros []|]. cbn [flat_map]. intros J. destruct (slots_eqb s t) eqn:Q.
  - apply slots_eqb_eq in Q. subst t. replace (flat_map _ l) with (@nil B); [apply app_nil_r|]. symmetry.
    clear -NI. induction l as [|u l IH]; cbn; auto. destruct (slots_eqb s u) eqn:Q; [apply slots_eqb_eq in Q; subst; cbn in NI; tauto|].
    apply IH. cbn in NI; tauto.
  - destruct J as [J|J]; [subst; rewrite (proj2 (slots_eqb_eq _ _) eq_refl) in Q; discriminate|]. now apply IH.
Qed.
Lemma by_groups {B} (f : mono -> list B) gs ms : NoDup gs -> (forall m, In m ms -> In (slots m) gs) ->
  Permutation (flat_map f ms) (flat_map (fun ss => flat_map f (filter (same_index ss) ms)) gs).
Proof.
  intros N. induction ms as [|m ms IH]; intros H.
  - cbn. now rewrite flat_map_nil.
  - cbn [flat_map]. transitivity (flat_map (fun ss => (if slots_eqb (slots m) ss then f m else []) ++ flat_map f (filter (same_index ss) ms)) gs).
    + etransitivity; [|symmetry; apply flat_map_both]. rewrite (flat_map_once (slots m) (f m) gs N) by (apply H; cbn; auto).
      apply Permutation_app_head, IH. intros; apply H; cbn; auto.
    + apply flat_map_same. intros ss _. cbn [filter]. unfold same_index at 2. destruct (slots_eqb (slots m) ss); reflexivity.
Qed.

Theorem counted_same G t ls rs r : Forall (well t) ls -> Forall (well t) rs -> Forall indexed ls -> Forall indexed rs ->
  bool_term G -> plain G = true -> (forall p, In p (counted_premises G ls rs) -> valid p) -> typed r -> toB (meaning r G) = true ->
  Permutation (flat_map (outs r r) ls) (flat_map (outs r r) rs).
Proof.
  intros WL WR XL XR TG PG V R HG. unfold counted_premises in V. set (gs := groups (map slots (ls ++ rs))).
  assert (GI : forall m, In m ls \/ In m rs -> In (slots m) gs).
  { intros m M. apply groups_in, in_map, in_or_app. exact M. }
  etransitivity; [apply (by_groups _ gs ls)|]; [apply groups_nodup|auto|].
  etransitivity; [|symmetry; apply (by_groups _ gs rs)]; [|apply groups_nodup|auto].
  apply flat_map_same. intros ss S. apply (Permutation_count_occ val_dec). intros w.
  assert (N : NoDup ss).
  { apply groups_in, in_map_iff in S as (m & <- & M). apply in_app_or in M. rewrite Forall_forall in XL, XR.
    destruct M as [M|M]; [apply (XL m M)|apply (XR m M)]. }
  assert (C : count (flat_map (ways ss ls) (assign r r ss)) w = count (flat_map (ways ss rs) (assign r r ss)) w).
  { apply count_flat_map. intros r' R'. apply assign_spec in R' as (R' & A' & _); auto using agree_self.
    destruct (in_dec val_dec w (ways ss ls r')) as [I|I].
    - symmetry. apply (counted_valid G t ls rs r w); auto. intros p P. apply V. apply in_or_app; auto.
    - destruct (in_dec val_dec w (ways ss rs r')) as [J|J].
      + apply (counted_valid G t rs ls r w); auto. intros p P. apply V. apply in_or_app; auto.
      + now rewrite (proj1 (count_occ_not_In _ _ _) I), (proj1 (count_occ_not_In _ _ _) J). }
  rewrite !ways_total in C by auto.
  assert (Z : arrangements ss ss <> []).
  { enough (I : In ss (arrangements ss ss)) by (intros E; rewrite E in I; destruct I). apply arrangements_spec. split; auto.
    clear. induction ss; constructor; auto. reflexivity. }
  destruct (arrangements ss ss) as [|x l]; [congruence|]. cbn [List.length] in C. nia.
Qed.

(** ** The rule *)
Inductive same_by := Matching (m : list (nat * list nat)) | Counting.
Definition no_agg_premises (G : term) (ls rs : list mono) (how : same_by) : list term := match how with
  | Matching m => matched_premises G ls rs m | Counting => counted_premises G ls rs end.
Definition no_agg (fuel : nat) (G P Q : term) (how : same_by) (evidence : list tree) : bool :=
  match monomials P, monomials Q with
  | Some ls, Some rs =>
      match how with Matching m => matching_ok ls rs m | Counting => true end &&
      discharged fuel (no_agg_premises G ls rs how) evidence
  | _, _ => false
  end.
Theorem no_agg_ok fuel G P Q how evidence t : goal_ok G P Q = true -> type P = Some (TBag t) ->
  no_agg fuel G P Q how evidence = true -> judged G P Q.
Proof.
  unfold goal_ok, no_agg. rewrite !andb_true_iff. intros ((((PG & PP) & PQ) & TG) & TQ) TP. rewrite TP in TQ.
  apply is_eq in TQ, TG. destruct (monomials P) as [ls|] eqn:L; [|discriminate]. destruct (monomials Q) as [rs|] eqn:RQ; [|discriminate].
  rewrite andb_true_iff. intros [OK D]. pose proof (discharged_ok _ _ _ D) as V. intros r R HG.
  destruct (monomials_ok _ _ _ L TP PP) as (WL & XL & HL). destruct (monomials_ok _ _ _ RQ TQ PQ) as (WR & XR & HR).
  rewrite (typed_bag _ _ (typed_meaning r P _ R TP)), (typed_bag _ _ (typed_meaning r Q _ R TQ)). apply bag_same.
  etransitivity; [exact (HL r R)|]. etransitivity; [|symmetry; exact (HR r R)]. destruct how as [m|]; cbn [no_agg_premises] in V.
  - apply (matched_same G ls rs m t r); auto. intros p Hp. now apply V.
  - apply (counted_same G t ls rs r); auto. intros p Hp. now apply V.
Qed.
