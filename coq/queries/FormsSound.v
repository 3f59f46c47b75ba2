(** * The normal form of a query has its rows *)
From Tallystick.queries Require Export Forms.

(** ** Cells and rows in a place *)
Definition cell_here (r : env) (t : term * term) (k : Q.kind) (v : Q.value) := cell_is r None None nothing nothing t k v.
Definition true_here (r : env) (t : term) (b : bool) := is_term r None None nothing nothing t TBool (VBool b).
Definition row_here (r : env) (h : cells_of) (row : Q.row) := Forall2 (fun c v => cell_here r (snd c) (fst c) v) h row.
Definition scopes_here (r : env) (hs : list cells_of) (rows : list Q.row) := Forall2 (row_here r) hs rows.

Lemma row_kinds r h row : row_here r h row -> of_kinds (kinds_of h) row.
Proof. induction 1 as [|[k t] v h row [C _] _ IH]; constructor; auto. Qed.
Lemma row_tuple r h row : row_here r h row -> is_term r None None nothing nothing (tuple h) (row_ty (kinds_of h)) (enc (kinds_of h) row).
Proof.
  intros H. assert (G : sequence (map (typeof None None) (map (fun c => Op Tuple [fst (snd c); snd (snd c)]) h)) = Some (map cell_ty (kinds_of h)) /\
    map (eval r nothing nothing) (map (fun c => Op Tuple [fst (snd c); snd (snd c)]) h) = cells (kinds_of h) row).
  { induction H as [|[k [n x]] v h row (C & [N1 N2] & [X1 X2]) H [IH1 IH2]]; [split; reflexivity|]. cbn [map kinds_of fst snd cells hd tl] in *. fold (kinds_of h).
    cbn [typeof map sequence run]. rewrite N1, X1, N2, X2, IH1, IH2. split; reflexivity. }
  destruct G as [G1 G2]. split; unfold tuple; cbn [typeof run]; [now rewrite G1|]. now rewrite G2.
Qed.
Lemma row_cells_here r t ks row : typed r -> of_kinds ks row -> is_term r None None nothing nothing t (row_ty ks) (enc ks row) ->
  row_here r (row_cells t 0 ks) row.
Proof.
  intros R K T. pose proof (proj_is r None None nothing nothing R I I) as P.
  enough (G : forall js jrow i, (forall j k, nth_error js j = Some k -> nth_error ks (i + j) = Some k /\ nth j jrow Q.Null = nth (i + j) row Q.Null) ->
    of_kinds js jrow -> row_here r (row_cells t i js) jrow) by (apply (G ks row O); auto).
  induction js as [|k js IH]; intros jrow i N F; inversion F; subst; constructor; cbn [fst snd].
  - destruct (N O k eq_refl) as [N1 N2]. rewrite Nat.add_0_r in N1, N2. cbn [nth] in N2. subst.
    assert (C : is_term r None None nothing nothing (proj t i) (cell_ty k) (cell k (nth i row Q.Null))).
    { rewrite <- (nth_cells ks i k row N1). exact (P _ i _ _ _ T (nth_row_ty _ _ _ N1)). }
    split; [assumption|]. split; [exact (P _ 0%nat _ _ _ C eq_refl)|exact (P _ 1%nat _ _ _ C eq_refl)].
  - apply IH; auto. intros j k' J. destruct (N (Datatypes.S j) k' J) as [N1 N2]. rewrite Nat.add_succ_comm. auto.
Qed.
Lemma table_cells_here r t cs row : typed r -> Forall2 Q.admits cs row -> is_term r None None nothing nothing t (table_ty cs) (VTup (stored_row cs row)) ->
  row_here r (table_cells t 0 cs) row.
Proof.
  intros R A T.
  enough (G : forall js jrow i, skipn i (map stored_ty cs) = map stored_ty js -> skipn i (stored_row cs row) = stored_row js jrow ->
    Forall2 Q.admits js jrow -> row_here r (table_cells t i js) jrow) by (apply (G cs row O); auto).
  induction js as [|[k b] js IH]; intros jrow i S1 S2 F; inversion F as [|? v ? jrow' V F']; subst; constructor; cbn [fst snd].
  - cbn [map stored_row hd] in S1, S2.
    assert (N1 : nth_error (map stored_ty cs) i = Some (stored_ty (k, b))).
    { revert S1. generalize (map stored_ty cs). clear. induction i; intros [|x l]; cbn [skipn nth_error]; try discriminate; auto. now intros [= -> _]. }
    assert (N2 : nth i (stored_row cs row) nothing = stored (k, b) v).
    { revert S2. generalize (stored_row cs row). clear. induction i; intros [|x l]; cbn [skipn nth]; try discriminate; auto. now intros [= -> _]. }
    destruct T as [T1 T2].
    assert (P : typeof None None (Op (Proj i) [t]) = Some (stored_ty (k, b))) by (cbn [typeof]; rewrite T1; exact N1).
    assert (E : eval r nothing nothing (Op (Proj i) [t]) = stored (k, b) v) by (cbn [run]; rewrite T2; exact N2).
    unfold cell_here, cell_is, is_term, read_cell. destruct b; cbn [negb snd fst] in *; unfold stored, stored_ty in *; cbn [snd fst] in *.
    + destruct k; cbn [typeof run map sequence forallb fst snd] in *; rewrite P, E; destruct v; cbn in V |- *; try tauto; repeat split; now destruct b.
    + destruct k, v; cbn in V; try tauto; try discriminate; repeat split; auto.
  - apply IH; auto.
    + revert S1. cbn [map]. generalize (map stored_ty cs). clear. induction i; intros [|x l]; cbn [skipn]; try discriminate; [|apply IHi]. now intros [= _ ->].
    + revert S2. cbn [stored_row tl]. generalize (stored_row cs row). clear. induction i; intros [|x l]; cbn [skipn]; try discriminate; [|apply IHi]. now intros [= _ ->].
Qed.
Lemma row_app r h k row row' : row_here r h row -> row_here r k row' -> row_here r (h ++ k) (row ++ row').
Proof. apply Forall2_app. Qed.
Lemma also_here r t u b c : typed r -> true_here r t b -> true_here r u c -> true_here r (conj [t; u]) (b && c).
Proof.
  intros R A B. pose proof (conj_is r None None nothing nothing R I I [t; u] [b; c] ltac:(repeat (apply Forall2_cons || apply Forall2_nil); [exact A|exact B])) as C.
  cbn [forallb] in C. now rewrite andb_true_r in C.
Qed.
Definition unknown (v : Q.value) : bool := match v with Q.Truth _ => false | _ => true end.
Lemma either_all vs : fold_right Q.either (Q.Truth false) vs =
  if existsb Q.is_true vs then Q.Truth true else if existsb unknown vs then Q.Null else Q.Truth false.
Proof.
  induction vs as [|v vs IH]; cbn [fold_right existsb]; auto. rewrite IH.
  destruct v as [| |[]|]; cbn [Q.is_true unknown orb]; destruct (existsb Q.is_true vs); auto; destruct (existsb unknown vs); auto.
Qed.
Lemma existsb_map {A B} (f : A -> B) p l : existsb p (map f l) = existsb (fun x => p (f x)) l.
Proof. induction l as [|x l IH]; cbn; [auto|now rewrite IH]. Qed.
Lemma is_in_existsb l k : Q.is_in l k = existsb (fun r => if Q.row_eq_dec l r then true else false) k.
Proof.
  unfold Q.is_in. destruct (in_dec Q.row_eq_dec l k) as [X|X]; symmetry.
  - apply existsb_exists. exists l. split; auto. now destruct (Q.row_eq_dec l l).
  - apply not_true_is_false. intros Y. apply existsb_exists in Y as (r & R & Y). destruct (Q.row_eq_dec l r); [subst; auto|discriminate].
Qed.
Lemma map_filter_pairs {A} (p : A -> bool) l : map snd (filter fst (map (fun r => (p r, r)) l)) = filter p l.
Proof. induction l as [|x l IH]; cbn; auto. destruct (p x); cbn; now rewrite IH. Qed.
Lemma Forall2_perm {A B} (R : A -> B -> Prop) l l' k : Permutation l l' -> Forall2 R l k -> exists k', Forall2 R l' k' /\ Permutation k k'.
Proof.
  intros P. revert k; induction P as [|x l l' P IH|x y l|l l' l'' P1 IH1 P2 IH2]; intros k F.
  - inversion F; subst. eauto.
  - inversion F as [|? b ? k0 H F']; subst. destruct (IH _ F') as (k' & K1 & K2). exists (b :: k'). auto.
  - inversion F as [|? b ? k0 H F']; subst. inversion F' as [|? c ? k1 H' F'']; subst. exists (c :: b :: k1). split; [auto|apply perm_swap].
  - destruct (IH1 _ F) as (k' & K1 & K2). destruct (IH2 _ K1) as (k'' & K3 & K4). exists k''. split; auto. now transitivity k'.
Qed.
Lemma existsb_perm {A} (p : A -> bool) l k : Permutation l k -> existsb p l = existsb p k.
Proof. induction 1; cbn; auto; [now rewrite IHPermutation|rewrite !orb_assoc; f_equal; apply orb_comm|congruence]. Qed.
Lemma sequence_map {A B} (f : A -> option B) l k : sequence (map f l) = Some k -> Forall2 (fun x y => f x = Some y) l k.
Proof. apply sequence_all. Qed.
Lemma partners d rs c n (q : list Q.row) p : Permutation (flat_map (fun l =>
      match filter (fun r => Q.is_true (Q.value_of d (r :: rs) c)) (map (app l) q) with [] => [l ++ repeat Q.Null n] | joined => joined end) p)
  (filter (fun r => Q.is_true (Q.value_of d (r :: rs) c)) (flat_map (fun l => map (app l) q) p) ++
   map (fun l => l ++ repeat Q.Null n) (filter (fun l => Bool.eqb false (existsb (fun r => Q.is_true (Q.value_of d ((l ++ r) :: rs) c)) q)) p)).
Proof.
  unfold Q.row in *. induction p as [|l p IH]; cbn [flat_map filter map app]; auto. rewrite filter_app.
  assert (E : existsb (fun r => Q.is_true (Q.value_of d ((l ++ r) :: rs) c)) q = match filter (fun r => Q.is_true (Q.value_of d (r :: rs) c)) (map (app l) q) with [] => false | _ => true end).
  { clear. induction q as [|r q IH]; cbn [existsb map filter]; auto. destruct (Q.is_true _); auto. }
  rewrite E. destruct (filter _ (map (app l) q)) as [|x xs]; cbn [Bool.eqb map app].
  - etransitivity; [apply Permutation_cons; [reflexivity|exact IH]|]. apply Permutation_middle.
  - rewrite <- app_assoc. constructor. now apply Permutation_app_head.
Qed.

Lemma Forall2_tail {A B} (R : A -> B -> Prop) x l y k : Forall2 R (x :: l) (y :: k) -> Forall2 R l k.
Proof. now inversion 1. Qed.
Section Sound.
  Variables (ds : list existence) (s : Q.schema) (d : Q.database) (en : env).
  Hypothesis EN : typed en.
  Hypothesis KN : knows_ex ds en.
  Hypothesis CO : Q.conforms s d.
  Hypothesis TAB : forall t cs, lookup s t = Some cs -> Permutation (elements (en (N t) (TBag (table_ty cs)))) (map (fun r => VTup (stored_row cs r)) (d t)).

  (** Each choice of rows for the slots of a monomial satisfies its condition or not, and makes a row. *)
  Definition cases (ms : list monomial) : list (monomial * list val) := flat_map (fun m => map (pair m) (choices en (over m))) ms.
  Definition makes ts vs (my : monomial * list val) (br : bool * Q.row) := forall r, here en (ts ++ slots_types (fst my)) (vs ++ snd my) r ->
    true_here r (condition (fst my)) (fst br) /\ row_here r (heads (fst my)) (snd br).
  Definition kept (brs : list (bool * Q.row)) : list Q.row := map snd (filter fst brs).
  Definition means_rows ts vs (ms : list monomial) (rows : list Q.row) := exists brs, Forall2 (makes ts vs) (cases ms) brs /\ Permutation (kept brs) rows.
  Definition uniform_of (ms : list monomial) ks := Forall (fun m => kinds_of (heads m) = ks) ms.
  Definition big rows q := forall p row ks, In p (distincts q) -> In row (Q.answer d rows p) -> of_kinds ks row ->
    In (enc ks row) (elements (en (N (every ks)) (TBag (row_ty ks)))).
  Hypothesis EVERY : forall ks, exists us, NoDup us /\ Forall (of_kinds ks) us /\ Permutation (elements (en (N (every ks)) (TBag (row_ty ks)))) (map (enc ks) us).
  Definition form_ok (f : compiler) := forall ts vs scopes rows q ms ks, big rows q -> Forall2 has_type vs ts ->
    (forall r, here en ts vs r -> scopes_here r scopes rows) -> f ts scopes q = Some (ms, ks) ->
    uniform_of ms ks /\ means_rows ts vs ms (Q.answer d rows q).
  Definition terms_ok (f : term_compiler) := forall ts vs scopes rows e k t, Forall2 has_type vs ts ->
    (forall r, here en ts vs r -> scopes_here r scopes rows) -> f ts scopes e = Some (k, t) ->
    forall r, here en ts vs r -> cell_here r t k (Q.value_of d rows e).

  Lemma uniform_ok ms ms' ks : uniform ms = Some (ms', ks) -> ms' = ms /\ uniform_of ms ks.
  Proof.
    unfold uniform. destruct ms as [|m ms]; [discriminate|]. destruct (forallb _ _) eqn:F; [|discriminate]. intros [= <- <-]. split; auto.
    apply Forall_forall. intros x X. rewrite forallb_forall in F. now apply kinds_eqb_eq, F.
  Qed.
  Lemma kept_app a b : kept (a ++ b) = kept a ++ kept b.
  Proof. unfold kept. now rewrite filter_app, map_app. Qed.
  Lemma makes_typed ts vs ms brs : Forall2 (makes ts vs) (cases ms) brs -> Forall2 has_type vs ts ->
    Forall2 (fun my br => Forall2 has_type (vs ++ snd my) (ts ++ slots_types (fst my)) /\ makes ts vs my br) (cases ms) brs.
  Proof.
    intros F V. apply (Forall2_imp_in _ _ _ _ F). intros my br I M. split; auto. unfold cases in I. apply in_flat_map in I as (m & _ & I).
    apply in_map_iff in I as (ys & <- & Y). apply Forall2_app; auto. cbn. now apply choices_typed in Y.
  Qed.
  Lemma scopes_under ts vs us ys scopes rows : Forall2 has_type vs ts -> (forall r, here en ts vs r -> scopes_here r scopes rows) ->
    forall r, here en (ts ++ us) (vs ++ ys) r -> scopes_here r scopes rows.
  Proof. intros V S r H. apply S. now apply here_app in H. Qed.

  (** A monomial each, with one that has the same slots. *)
  Lemma each_ok f (g : Q.row -> bool * Q.row) ts vs ms ms' ks rows : each f ms = Some (ms', ks) -> Forall2 has_type vs ts -> means_rows ts vs ms rows ->
    (forall m m', f m = Some m' -> over m' = over m) ->
    (forall m m' ys br, f m = Some m' -> Forall2 has_type (vs ++ ys) (ts ++ slots_types m) -> makes ts vs (m, ys) br ->
      forall r, here en (ts ++ slots_types m) (vs ++ ys) r -> true_here r (condition m') (fst br && fst (g (snd br))) /\ row_here r (heads m') (snd (g (snd br)))) ->
    uniform_of ms' ks /\ means_rows ts vs ms' (map (fun r => snd (g r)) (filter (fun r => fst (g r)) rows)).
  Proof.
    unfold each. destruct (sequence (map f ms)) as [ns|] eqn:S; [|discriminate]. cbn [bind]. intros U V (brs & F & P) HO H.
    apply uniform_ok in U as [-> U]. split; auto. apply sequence_map in S.
    exists (map (fun br => (fst br && fst (g (snd br)), snd (g (snd br)))) brs). split.
    - apply (fun F => makes_typed ts vs ms brs F V) in F. clear P U. revert brs F. induction S as [|m m' ms ns M S IH]; intros brs F; unfold cases in *; cbn [flat_map] in *.
      + inversion F; subst. constructor.
      + apply Forall2_app_inv_l in F as (b1 & b2 & F1 & F2 & ->). rewrite map_app. apply Forall2_app; [|now apply IH].
        rewrite (HO m m' M). clear IH F2. revert b1 F1. generalize (choices en (over m)). induction l as [|ys l IH]; intros b1 F; inversion F as [|? br ? ? [A B] F']; subst; cbn [map]; constructor; auto.
        intros r R. cbn [fst snd] in *. unfold slots_types in R. rewrite (HO m m' M) in R. exact (H m m' ys br M A B r R).
    - clear -P. etransitivity; [|apply Permutation_map, Permutation_filter; exact P]. apply Permutation_refl'. clear P. unfold kept.
      induction brs as [|[b r] brs IH]; cbn [map filter fst snd]; auto. destruct b; cbn [andb map filter snd]; auto. destruct (fst (g r)) eqn:G; cbn [map filter fst snd]; rewrite ?IH; auto.
  Qed.

  (** Conditions under which a row is there: what Ex of the theory says. *)
  Definition condition_ok (within : list ty -> cells_of -> option term) ts vs (p : Q.row -> bool) := forall us ys h t row,
    Forall2 has_type ys us -> (forall r, here en (ts ++ us) (vs ++ ys) r -> row_here r h row) -> within (ts ++ us) h = Some t ->
    forall r, here en (ts ++ us) (vs ++ ys) r -> true_here r t (p row).
  Lemma over_eqb_eq l k : over_eqb l k = true -> l = k.
  Proof.
    apply list_eqb_eq, Forall_forall. intros [t u] _ [t' u']. cbn. rewrite andb_true_iff. intros [A B]. apply String.eqb_eq in A. apply ty_eqb_eq in B. congruence.
  Qed.
  Lemma takes_values r scopes rows : scopes_here r scopes rows ->
    Forall2 has_type (map (meaning r) (map tuple scopes)) (takes_of scopes) /\ sequence (map type (map tuple scopes)) = Some (takes_of scopes) /\
    map (meaning r) (map tuple scopes) = map (fun hr => enc (kinds_of (fst hr)) (snd hr)) (combine scopes rows).
  Proof.
    induction 1 as [|h row scopes rows H _ (A & B & C)]; cbn [map takes_of combine sequence fst snd]; [repeat split; constructor|].
    destruct (row_tuple _ _ _ H) as [T M]. fold (takes_of scopes). unfold type at 1. rewrite T, B. unfold meaning at 1 3. rewrite M, C. repeat split.
    constructor; [apply enc_typed|]. now rewrite C in A.
  Qed.
  Lemma some_row_ok (f : compiler) scopes inner within q e rows irows p r vs : form_ok f -> some_row ds f scopes inner within q = Some e ->
    typed r -> (forall x u, is_any x = false -> r x u = en x u) -> vs = map (meaning r) (map tuple scopes) ->
    scopes_here r scopes rows -> (forall r', here en (takes_of scopes) vs r' -> scopes_here r' inner irows) ->
    condition_ok within (takes_of scopes) vs p ->
    true_here r e (existsb p (Q.answer d irows q)).
  Proof.
    intros FO S R SAME -> SC IN W. destruct (takes_values r scopes rows SC) as (V & T & _). unfold some_row in S. set (vs := map (meaning r) (map tuple scopes)) in *.
    destruct (distincts q) eqn:DQ; [|discriminate]. assert (BIG : big irows q) by (unfold big; rewrite DQ; intros ? ? ? []).
    destruct (f (takes_of scopes) inner q) as [[ms ks]|] eqn:F; [|discriminate]. cbn [bind] in S. destruct (FO _ vs _ irows _ _ _ BIG V IN F) as [_ (brs & M & P)].
    rewrite <- (existsb_perm p _ _ P). clear P F. match type of S with bind (sequence (map ?g _)) _ = _ => set (G := g) in S end.
    destruct (sequence (map G ms)) as [l|] eqn:Q; [|discriminate]. cbn [bind] in S. inversion S; subst e; clear S. apply sequence_map in Q.
    apply (fun F => makes_typed _ vs ms brs F V) in M.
    assert (E : exists bs, Forall2 (true_here r) l bs /\ existsb (fun b => b) bs = existsb p (kept brs)).
    { revert brs M. induction Q as [|m t ms l E Q IH]; intros brs M; unfold cases in *; cbn [flat_map] in M; [inversion M; subst; exists []; split; [constructor|reflexivity]|].
      apply Forall2_app_inv_l in M as (b1 & b2 & M1 & M2 & ->). destruct (IH _ M2) as (bs & B1 & B2). exists (existsb p (kept b1) :: bs). split.
      2: { rewrite kept_app, existsb_app. cbn [existsb]. now rewrite B2. }
      constructor; auto. clear IH B1 B2 M2 bs. unfold G in E. destruct (within _ (heads m)) as [t0|] eqn:WI; [|discriminate]. cbn [bind] in E. cbv zeta in E.
      set (w := conj [condition m; t0]) in *.
      assert (EX : existsb (fun ys => toB (meaning (bound (takes_of scopes ++ slots_types m) (vs ++ ys) en) w)) (choices en (over m)) = existsb p (kept b1)).
      { clear E Q. revert b1 M1. generalize (fun ys => @choices_typed en (over m) ys EN). generalize (choices en (over m)). induction l0 as [|ys l0 IH]; intros TY b1 M1; inversion M1 as [|? [b row] ? ? [A B] M']; subst; auto.
        cbn [existsb]. rewrite (IH (fun ys I => TY ys (or_intror I)) _ M'). cbn [fst snd] in *.
        pose proof (here_bound en _ _ EN A) as HB. destruct (B _ HB) as [B1 B2]. cbn [fst snd] in *.
        pose proof (W _ ys (heads m) t0 row (TY ys (or_introl eq_refl)) (fun r' H => proj2 (B r' H)) WI _ HB) as B3.
        destruct (also_here _ _ _ _ _ (here_typed _ _ _ _ HB) B1 B3) as [_ B4]. unfold meaning. fold w in B4. rewrite B4, toB_bool.
        unfold kept. cbn [filter fst snd]. destruct b; cbn [map existsb snd andb]; auto. }
      destruct (term_eqb w ff') eqn:FF.
      - inversion E; subst t. apply term_eqb_eq in FF. rewrite <- EX, FF. split; [reflexivity|]. unfold meaning. cbn [run]. f_equal.
        clear. induction (choices en (over m)); cbn; auto.
      - destruct (find_ex ds (takes_of scopes) (over m) w) as [x|] eqn:FX; [|discriminate]. cbn [bind] in E. inversion E; subst t. apply find_some in FX as [J FX].
        rewrite !andb_true_iff in FX. destruct FX as [[X1 X2] X3]. apply tys_eqb_eq in X1. apply over_eqb_eq in X2. apply term_eqb_eq in X3.
        split; unfold call; cbn [typeof run].
        + change (map type (map tuple scopes)) with (map (typeof None None) (map tuple scopes)) in T. rewrite X1, T. now rewrite (proj2 (tys_eqb_eq _ _) eq_refl).
        + fold (meaning r). rewrite SAME by reflexivity. change (map (eval r nothing nothing) (map tuple scopes)) with vs. rewrite (KN x J) by (rewrite X1; exact V).
          unfold ex_value. rewrite X1, X2, X3. now rewrite <- EX. }
    destruct E as (bs & B1 & B2). rewrite <- B2. exact (disj_is r None None nothing nothing R I I l bs B1).
  Qed.

  Lemma parameters_here r r' : typed r' -> forall scopes rows i, scopes_here r scopes rows ->
    (forall j u, nth_error (takes_of scopes) j = Some u -> r' (Any (i + j)) u = nth j (map (meaning r) (map tuple scopes)) nothing) ->
    scopes_here r' (parameters_from i scopes) rows.
  Proof.
    intros R'. induction scopes as [|h scopes IH]; intros rows i H V; inversion H as [|? row ? rows' H1 H2]; subst; cbn [parameters_from]; constructor.
    - apply row_cells_here; auto; [now apply row_kinds in H1|]. specialize (V O _ eq_refl). rewrite Nat.add_0_r in V. cbn [nth map] in V.
      split; cbn [typeof run]; auto. rewrite V. exact (proj2 (row_tuple _ _ _ H1)).
    - apply IH; auto. intros j u J. specialize (V (Datatypes.S j) u J). rewrite Nat.add_succ_comm. exact V.
  Qed.
  Lemma truth_here terms ts vs scopes rows c t : terms_ok terms -> truth terms ts scopes c = Some t -> Forall2 has_type vs ts ->
    (forall r, here en ts vs r -> scopes_here r scopes rows) -> forall r, here en ts vs r ->
    true_here r (snd t) (Q.is_true (Q.value_of d rows c)) /\ true_here r (fst t) (unknown (Q.value_of d rows c)).
  Proof.
    unfold truth. intros TO T V S r H. destruct (terms ts scopes c) as [[[] t']|] eqn:E; try discriminate. inversion T; subst.
    destruct (TO _ _ _ _ _ _ _ V S E r H) as (A & B & C). unfold true_here. destruct (Q.value_of d rows c); try discriminate; auto.
  Qed.
  Lemma for_some_ok f terms ts vs scopes rows c q t : form_ok f -> terms_ok terms -> for_some ds f terms scopes c q = Some t -> Forall2 has_type vs ts ->
    (forall r, here en ts vs r -> scopes_here r scopes rows) -> forall r, here en ts vs r -> cell_here r t Q.Truths (Q.value_of d rows (Q.ForSome c q)).
  Proof.
    intros FO TO E V S r H. unfold for_some in E. cbv zeta in E. pose proof (here_typed _ _ _ _ H) as R. pose proof (S r H) as SC.
    set (vs' := map (meaning r) (map tuple scopes)). destruct (takes_values r scopes rows SC) as (TV & _). fold vs' in TV.
    assert (IN : forall r', here en (takes_of scopes) vs' r' -> scopes_here r' (parameters_from 0 scopes) rows).
    { intros r' H'. apply (parameters_here r r' (here_typed _ _ _ _ H') scopes rows 0 SC). intros j u J. exact (here_any _ _ _ _ H' j u J). }
    assert (W : forall (part : term * term -> term) p, (forall ts vs inner rows t, truth terms ts inner c = Some t -> Forall2 has_type vs ts -> (forall r, here en ts vs r -> scopes_here r inner rows) ->
        forall r, here en ts vs r -> true_here r (part t) (p (Q.value_of d rows c))) ->
        condition_ok (fun ts h => option_map part (truth terms ts (h :: parameters_from 0 scopes) c)) (takes_of scopes) vs' (fun row => p (Q.value_of d (row :: rows) c))).
    { intros part p P us ys h t0 row U HR T. destruct (truth _ _ _ _) as [t1|] eqn:T1; [|discriminate]. inversion T; subst. apply (P _ (vs' ++ ys) _ (row :: rows) _ T1).
      - now apply Forall2_app.
      - intros r' H'. constructor; auto. apply IN. now apply here_app in H'. }
    destruct (some_row _ _ _ _ _ _) as [yes|] eqn:Y; [|discriminate]. cbn [bind] in E. destruct (some_row ds f scopes (parameters_from 0 scopes) _ q) as [un|] eqn:Z in E; [|discriminate].
    inversion E; subst t; clear E.
    pose proof (some_row_ok f scopes _ _ q yes rows rows _ r vs' FO Y R (here_same _ _ _ _ H) eq_refl SC IN
      (W snd Q.is_true (fun ts vs inner rows t A B C r D => proj1 (truth_here terms ts vs inner rows c t TO A B C r D)))) as A1.
    pose proof (some_row_ok f scopes _ _ q un rows rows _ r vs' FO Z R (here_same _ _ _ _ H) eq_refl SC IN
      (W fst unknown (fun ts vs inner rows t A B C r D => proj2 (truth_here terms ts vs inner rows c t TO A B C r D)))) as A2.
    cbn [Q.value_of]. rewrite either_all. rewrite !existsb_map.
    pose proof (neg_is r None None nothing nothing R I I yes _ A1) as A3. pose proof (also_here r _ _ _ _ R A3 A2) as A4.
    split; [now destruct (existsb _ _), (existsb _ _)|]. cbn [fst snd]. unfold true_here in A1, A4.
    destruct (existsb (fun r => Q.is_true (Q.value_of d (r :: rows) c)) _), (existsb (fun r => unknown (Q.value_of d (r :: rows) c)) _); cbn [negb andb] in A4; split; auto.
  Qed.
  (** A further condition of each monomial: whether its row has a partner. *)
  Lemma partner_ok f scopes rows ts vs m ys br (keep : bool) within q e p r own inner : form_ok f -> parameters_from 0 (heads m :: scopes) = own :: inner ->
    some_row ds f (heads m :: scopes) inner within q = Some e -> Forall2 has_type (vs ++ ys) (ts ++ slots_types m) ->
    (forall r, here en ts vs r -> scopes_here r scopes rows) -> Forall2 has_type vs ts -> makes ts vs (m, ys) br ->
    (forall ws, Forall2 has_type ws (takes_of (heads m :: scopes)) -> (forall r', here en (takes_of (heads m :: scopes)) ws r' -> scopes_here r' (own :: inner) (snd br :: rows)) ->
      condition_ok within (takes_of (heads m :: scopes)) ws p) ->
    here en (ts ++ slots_types m) (vs ++ ys) r ->
    true_here r (condition (also (if keep then e else neg e) m)) (fst br && Bool.eqb keep (existsb p (Q.answer d rows q))) /\ row_here r (heads m) (snd br).
  Proof.
    intros FO PA E V S VT B W H. destruct (B r H) as [B1 B2]. cbn [fst snd] in *. split; [|exact B2].
    pose proof (here_typed _ _ _ _ H) as R. assert (SC : scopes_here r (heads m :: scopes) (snd br :: rows)) by (constructor; auto; apply S; now apply here_app in H).
    set (ws := map (meaning r) (map tuple (heads m :: scopes))). destruct (takes_values r _ _ SC) as (TV & _). fold ws in TV.
    assert (IN : forall r', here en (takes_of (heads m :: scopes)) ws r' -> scopes_here r' (own :: inner) (snd br :: rows)).
    { intros r' H'. rewrite <- PA. apply (parameters_here r r' (here_typed _ _ _ _ H') _ _ 0 SC). intros j u J. exact (here_any _ _ _ _ H' j u J). }
    pose proof (some_row_ok f _ inner within q e _ rows p r ws FO E R (here_same _ _ _ _ H) eq_refl SC (fun r' H' => Forall2_tail _ _ _ _ _ (IN r' H')) (W ws TV IN)) as A.
    apply also_here; auto. destruct keep; [now destruct (existsb _ _)|]. pose proof (neg_is r None None nothing nothing R I I e _ A) as N. now destruct (existsb _ _).
  Qed.
  Lemma same_cells_here r h k t row row' : typed r -> row_here r h row -> row_here r k row' -> option_map conj (same_cells_term h k) = Some t ->
    true_here r t (if Q.row_eq_dec row row' then true else false).
  Proof.
    intros R H. revert k t row'. enough (G : forall k l row', row_here r k row' -> same_cells_term h k = Some l ->
      exists bs, Forall2 (true_here r) l bs /\ forallb (fun b => b) bs = (if Q.row_eq_dec row row' then true else false)).
    { intros k t row' K E. destruct (same_cells_term h k) as [l|] eqn:L; [|discriminate]. inversion E; subst. destruct (G k l row' K L) as (bs & B1 & <-).
      exact (conj_is r None None nothing nothing R I I l bs B1). }
    induction H as [|[j [n x]] v h row C H IH]; intros k l row' K E; inversion K as [|[j' [m y]] w k' row'' C' K']; subst; cbn [same_cells_term] in E; try discriminate.
    - inversion E; subst. exists []. split; [constructor|]. now destruct (Q.row_eq_dec [] []).
    - destruct (kind_eqb j j') eqn:J; [|discriminate]. assert (j = j') by (destruct j, j'; discriminate || reflexivity). subst j'.
      destruct (same_cells_term h k') as [l'|] eqn:L; [|discriminate]. inversion E; subst. destruct (IH _ _ _ K' L) as (bs & B1 & B2). clear IH.
      destruct C as (C1 & C2 & C3), C' as (D1 & D2 & D3). cbn [fst snd] in *.
      exists (veqb (VBool (is_null v)) (VBool (is_null w)) :: veqb (base j v) (base j w) :: bs). split.
      + constructor; [exact (eq_is r None None nothing nothing R I I _ _ _ _ _ C2 D2)|]. constructor; auto. exact (eq_is r None None nothing nothing R I I _ _ _ _ _ C3 D3).
      + cbn [forallb]. rewrite B2, andb_assoc. replace (veqb (VBool (is_null v)) (VBool (is_null w))) with (Bool.eqb (is_null v) (is_null w)) by now destruct v, w.
        rewrite <- (same_cells j v w C1 D1). unfold Q.same. destruct (Q.value_eq_dec v w) as [<-|N], (Q.row_eq_dec row row'') as [<-|N'], (Q.row_eq_dec _ _) as [X|X]; auto; exfalso; congruence.
  Qed.

  Lemma table_ok ts vs scopes rows t cs : Forall2 has_type vs ts -> (forall r, here en ts vs r -> scopes_here r scopes rows) -> lookup s t = Some cs ->
    means_rows ts vs [{| over := [(t, table_ty cs)]; condition := tt'; heads := table_cells (Var (Any (List.length ts)) (table_ty cs)) 0 cs |}] (d t).
  Proof.
    intros V S L. destruct (Permutation_map_inv _ _ (TAB t cs L)) as (rs & E & P). exists (map (fun r => (true, r)) rs). split.
    - unfold cases. cbn [flat_map over choices]. rewrite app_nil_r, E.
      assert (A : Forall (fun r => Forall2 Q.admits cs r) rs).
      { apply Forall_forall. intros r R. apply (CO t); [|apply (Permutation_in _ (Permutation_sym P)); exact R]. unfold lookup in L.
        destruct (find _ s) as [[t' cs']|] eqn:F; [|discriminate]. cbn in L. inversion L; subst. apply find_some in F as [F1 F2]. apply String.eqb_eq in F2. cbn in F2. now subst. }
      clear E P. induction A as [|r rs A _ IH]; cbn [map flat_map app]; constructor; auto. intros en' H. split; [split; reflexivity|]. cbn [fst snd heads] in *.
      apply table_cells_here; auto; [apply H|]. split; cbn [typeof run]; auto.
      rewrite (here_any _ _ _ _ H (List.length ts) (table_ty cs)).
      + rewrite app_nth2; rewrite (Forall2_length _ _ _ V); [|auto]. now rewrite Nat.sub_diag.
      + cbn. rewrite nth_error_app2, Nat.sub_diag by auto. reflexivity.
    - unfold kept. replace (filter fst (map (fun r => (true, r)) rs)) with (map (fun r => (true, r)) rs) by (clear; induction rs; cbn; congruence).
      rewrite map_map. cbn [snd]. rewrite map_id. now symmetry.
  Qed.
  Lemma means_perm ts vs ms rows rows' : means_rows ts vs ms rows -> Permutation rows rows' -> means_rows ts vs ms rows'.
  Proof. intros (brs & F & P) Q. exists brs. split; auto. now transitivity rows. Qed.
  Lemma means_union ts vs ms ms' rows rows' : means_rows ts vs ms rows -> means_rows ts vs ms' rows' -> means_rows ts vs (ms ++ ms') (rows ++ rows').
  Proof.
    intros (a & A & P) (b & B & Q). exists (a ++ b). split; [unfold cases; rewrite flat_map_app; now apply Forall2_app|]. rewrite kept_app. now apply Permutation_app.
  Qed.
  Lemma kept_join (p : Q.row -> bool) (row : Q.row) l :
    kept (map (fun br => (true && fst br && p (row ++ snd br), row ++ snd br)) l) = filter p (map (app row) (kept l)).
  Proof. unfold kept. induction l as [|[b r] l IH]; cbn [map filter fst snd andb]; auto. destruct b; cbn [andb map filter snd]; auto. destruct (p _); cbn [map filter snd]; [now f_equal|auto]. Qed.
  Lemma join_ok ts vs ms rows (f : compiler) terms scopes outer q c ls : form_ok f -> terms_ok terms -> big outer q -> Forall2 has_type vs ts ->
    (forall r, here en ts vs r -> scopes_here r scopes outer) -> means_rows ts vs ms rows ->
    sequence (map (fun m => bind (f (ts ++ slots_types m) scopes q) (fun '(ms', _) =>
        sequence (map (fun m' => let b := beside m m' in option_map (fun t => also (snd t) b) (truth terms (ts ++ slots_types b) (heads b :: scopes) c)) ms'))) ms) = Some ls ->
    means_rows ts vs (List.concat ls) (filter (fun r => Q.is_true (Q.value_of d (r :: outer) c)) (flat_map (fun l => map (app l) (Q.answer d outer q)) rows)).
  Proof.
    intros FO TO BIG V S (brs & F & P) E. set (Q := Q.answer d outer q). apply sequence_map in E.
    enough (G : exists brs', Forall2 (makes ts vs) (cases (List.concat ls)) brs' /\
      Permutation (kept brs') (filter (fun r => Q.is_true (Q.value_of d (r :: outer) c)) (flat_map (fun l => map (app l) Q) (kept brs)))).
    { destruct G as (brs' & G1 & G2). exists brs'. split; auto. etransitivity; [exact G2|]. now apply Permutation_filter, flat_map_perm. }
    clear P rows. apply (fun F => makes_typed ts vs ms brs F V) in F. revert brs F. induction E as [|m l ms ls M E IH]; intros brs F; unfold cases in *; cbn [flat_map List.concat] in *.
    { inversion F; subst. exists []. split; [constructor|reflexivity]. }
    apply Forall2_app_inv_l in F as (b1 & b2 & F1 & F2 & ->). destruct (IH _ F2) as (brs2 & I1 & I2). clear IH F2 E.
    enough (G : exists brs1, Forall2 (makes ts vs) (cases l) brs1 /\
      Permutation (kept brs1) (filter (fun r => Q.is_true (Q.value_of d (r :: outer) c)) (flat_map (fun l => map (app l) Q) (kept b1)))).
    { destruct G as (brs1 & G1 & G2). exists (brs1 ++ brs2). split.
      - fold (cases (l ++ List.concat ls)). unfold cases. rewrite flat_map_app. now apply Forall2_app.
      - rewrite !kept_app, flat_map_app, filter_app. now apply Permutation_app. }
    clear I1 I2 brs2 b2 ls ms. destruct (f (ts ++ slots_types m) scopes q) as [[ms' ks]|] eqn:FQ; [|discriminate]. cbn [bind] in M. apply sequence_map in M.
    set (L := flat_map (fun ys => flat_map (fun '(m', n) => map (fun ys' => (n, ys ++ ys')) (choices en (over m'))) (combine ms' l)) (choices en (over m))).
    assert (PL : Permutation L (cases l)).
    { unfold L. clear -M. induction M as [|m' n ms' l H M IH]; cbn [combine flat_map].
      - unfold cases. cbn. rewrite flat_map_nil. reflexivity.
      - etransitivity; [apply flat_map_both|]. unfold cases. cbn [flat_map]. apply Permutation_app; [|exact IH].
        destruct (truth _ _ _ _) as [t|] eqn:T; [|discriminate]. inversion H; subst. cbn [over also beside]. rewrite choices_app, map_flat_map. apply Permutation_refl'.
        apply flat_map_ext. intros ys. now rewrite map_map. }
    enough (G : exists brs1, Forall2 (makes ts vs) L brs1 /\
      Permutation (kept brs1) (filter (fun r => Q.is_true (Q.value_of d (r :: outer) c)) (flat_map (fun l => map (app l) Q) (kept b1)))).
    { destruct G as (x & G1 & G2). destruct (Forall2_perm _ _ _ _ PL G1) as (y & Y1 & Y2). exists y. split; auto. etransitivity; [|exact G2].
      apply Permutation_map, Permutation_filter. now symmetry. }
    clear PL. unfold L. clear L. revert b1 F1. generalize (choices en (over m)) as cs. induction cs as [|ys cs IH]; intros b1 F; cbn [map flat_map] in *.
    { inversion F; subst. exists []. split; [constructor|reflexivity]. }
    inversion F as [|? [b row] ? b1' [A B] F']; subst. destruct (IH _ F') as (rest & R1 & R2). clear IH F F'. cbn [fst snd] in A, B.
    assert (S' : forall r, here en (ts ++ slots_types m) (vs ++ ys) r -> scopes_here r scopes outer) by (eapply scopes_under; eauto).
    destruct (FO _ _ _ _ _ _ _ BIG A S' FQ) as [_ (brs2 & B2 & P2)]. apply (fun F => makes_typed _ _ ms' brs2 F A) in B2.
    exists (map (fun br => (b && fst br && Q.is_true (Q.value_of d ((row ++ snd br) :: outer) c), row ++ snd br)) brs2 ++ rest). split.
    - apply Forall2_app; auto. clear R1 R2 P2 rest FQ. revert brs2 B2. induction M as [|m' n ms' l H M IH]; intros brs2 F; unfold cases in F; cbn [flat_map combine] in *.
      + inversion F; subst. constructor.
      + apply Forall2_app_inv_l in F as (c1 & c2 & F1 & F2 & ->). rewrite map_app. apply Forall2_app; [|now apply IH]. clear IH F2.
        destruct (truth _ _ _ _) as [t|] eqn:T; [|discriminate]. inversion H; subst n; clear H. revert c1 F1. generalize (choices en (over m')) as zs.
        induction zs as [|ys' zs IH]; intros c1 F; inversion F as [|? [b' row'] ? ? [A' B'] F']; subst; cbn [map]; constructor; auto.
        intros r H. cbn [fst snd also beside condition heads] in *.
        assert (ST : ts ++ slots_types (beside m m') = (ts ++ slots_types m) ++ slots_types m') by (unfold slots_types, types; cbn [over beside]; now rewrite map_app, app_assoc).
        change (slots_types (also (snd t) (beside m m'))) with (slots_types (beside m m')) in H. rewrite ST, app_assoc in H.
        pose proof (here_typed _ _ _ _ H) as R. destruct (B' r H) as [X1 X2]. destruct (B r (here_app _ _ _ _ _ _ A H)) as [Y1 Y2]. cbn [fst snd] in *.
        split; [|now apply row_app]. apply also_here; auto; [now apply also_here|].
        rewrite ST in T. apply (truth_here terms _ _ _ (((row ++ row') : Q.row) :: outer) c t TO T A'); auto.
        intros r' H'. constructor.
        * apply row_app; [exact (proj2 (B r' (here_app _ _ _ _ _ _ A H')))|exact (proj2 (B' r' H'))].
        * apply S'. now apply here_app in H'.
    - rewrite kept_app. clear -P2 R2. unfold kept at 3. cbn [filter fst]. destruct b; cbn [map snd flat_map].
      + rewrite filter_app. apply Permutation_app; [|exact R2]. etransitivity; [|apply Permutation_filter, Permutation_map; exact P2].
        apply Permutation_refl'. exact (kept_join (fun r => Q.is_true (Q.value_of d (r :: outer) c)) row brs2).
      + replace (kept (map _ brs2)) with (@nil Q.row); [exact R2|]. clear. induction brs2; cbn; auto.
  Qed.

  Lemma big_less rows q p : (forall x, In x (distincts p) -> In x (distincts q)) -> big rows q -> big rows p.
  Proof. intros H B x row ks X. exact (B x row ks (H x X)). Qed.
  Theorem compiled_ok n : form_ok (form ds s n) /\ terms_ok (terms ds s n).
  Proof.
    induction n as [|n [FO TO]]; [split; intros until 1; discriminate|]. split.
    2: { intros ts vs scopes rows e k t V S E r H. cbn [terms] in E. destruct (kind_in _ _ e) as [k'|] eqn:K; [|discriminate]. cbn [option_map] in E. inversion E; subst k' t; clear E.
      match type of K with kind_in ?col ?som _ = _ => pose proof (compiled_in_is r None None nothing nothing d rows col
        (fun i j => match bind (nth_error scopes i) (fun h => nth_error h j) with Some c => snd c | None => (tt', tt') end) som (here_typed _ _ _ _ H) I I) as C end.
      specialize (C ltac:(intros i j k' N; pose proof (S r H) as SC; clear -N SC; revert i N; induction SC as [|h row hs rows F SC IH]; intros [|i] N; cbn in N; try discriminate; [|exact (IH i N)];
        cbn [nth_error bind nth]; clear IH SC; revert j N; induction F as [|c v h row C F IH]; intros [|j] N; cbn in N; try discriminate; [inversion N; subst; exact C|exact (IH j N)])).
      specialize (C ltac:(intros c q t F; exact (for_some_ok _ _ ts vs scopes rows c q t FO TO F V S r H)) e k K).
      unfold cell_here. destruct (compiled_in _ _ e). exact C. }
    intros ts vs scopes rows q ms ks BIG V S E. cbn [form] in E. destruct q as [t|rs|c q|es q|c p q|width c p q|keep c p q|p q|p q|keep p q|q|es cs q|cs q]; try discriminate; cbn [Q.answer].
    - destruct (lookup s t) as [cs|] eqn:L; [|discriminate]. inversion E; subst. split; [|exact (table_ok ts vs scopes rows t _ V S L)]. constructor; [|constructor]. cbn [heads].
      generalize (Var (Any (List.length ts)) (table_ty cs)) as v. generalize O. clear. induction cs as [|c cs IH]; intros i v; cbn; auto. f_equal. apply IH.
    - destruct (form ds s n ts scopes q) as [[ms' ks']|] eqn:F; [|discriminate]. cbn [bind] in E. destruct (FO ts vs scopes rows q _ _ BIG V S F) as [_ M].
      destruct (each_ok _ (fun r => (Q.is_true (Q.value_of d (r :: rows) c), r)) ts vs ms' ms ks _ E V M) as [U N].
      + intros m m' X. destruct (truth _ _ _ _); [|discriminate]. now inversion X.
      + intros m m' ys [b row] X A B r H. destruct (truth _ _ _ _) as [t|] eqn:T; [|discriminate]. inversion X; subst; clear X. destruct (B r H) as [B1 B2]. cbn [fst snd] in *.
        split; [|exact B2]. apply also_here; [apply H|exact B1|]. apply (truth_here (terms ds s n) _ _ _ (row :: rows) c t TO T A); auto.
        intros r' H'. constructor; [exact (proj2 (B r' H'))|]. apply S. now apply here_app in H'.
      + split; auto. cbn [fst snd] in N. now rewrite map_id in N.
    - destruct (form ds s n ts scopes q) as [[ms' ks']|] eqn:F; [|discriminate]. cbn [bind] in E. destruct (FO ts vs scopes rows q _ _ BIG V S F) as [_ M].
      destruct (each_ok _ (fun r => (true, map (Q.value_of d (r :: rows)) es)) ts vs ms' ms ks _ E V M) as [U N].
      + intros m m' X. destruct (sequence _); [|discriminate]. now inversion X.
      + intros m m' ys [b row] X A B r H. destruct (sequence _) as [h|] eqn:T; [|discriminate]. inversion X; subst; clear X. destruct (B r H) as [B1 B2]. cbn [fst snd condition with_heads heads] in *.
        rewrite andb_true_r. split; [exact B1|]. apply sequence_map in T. clear M E F BIG.
        assert (S' : forall r', here en (ts ++ slots_types m) (vs ++ ys) r' -> scopes_here r' (heads m :: scopes) (row :: rows))
          by (intros r' H'; constructor; [exact (proj2 (B r' H'))|]; apply S; now apply here_app in H').
        clear B B1 B2. induction T as [|e [k t] es h X T IH]; cbn [map]; [constructor|]. constructor; [|exact IH]. cbn [fst snd]. exact (TO _ _ _ _ _ _ _ A S' X r H).
      + split; auto. cbn [fst snd] in N. replace (filter (fun _ => true) (Q.answer d rows q)) with (Q.answer d rows q) in N; auto. clear. induction (Q.answer d rows q); cbn; congruence.
    - assert (BP : big rows p) by (apply (big_less rows (Q.Join c p q)); auto; cbn; auto with datatypes).
      assert (BQ : big rows q) by (apply (big_less rows (Q.Join c p q)); auto; cbn; auto with datatypes).
      destruct (form ds s n ts scopes p) as [[ms' ks']|] eqn:F; [|discriminate]. cbn [bind] in E. destruct (FO _ _ _ _ _ _ _ BP V S F) as [_ M].
      destruct (sequence _) as [ls|] eqn:X in E; [|discriminate]. cbn [bind] in E. apply uniform_ok in E as [-> U]. split; auto.
      exact (join_ok ts vs ms' _ _ _ scopes rows q c ls FO TO BQ V S M X).
    - destruct (form ds s n ts scopes (Q.Join c p q)) as [[joined ks']|] eqn:F; [|discriminate]. cbn [bind] in E.
      destruct (form ds s n ts scopes (Q.SemiJoin false c p q)) as [[alone js]|] eqn:G; [|discriminate]. cbn [bind] in E. cbv zeta in E.
      destruct (Nat.eqb _ width) eqn:W; [|discriminate]. apply Nat.eqb_eq in W. rewrite map_length in W. subst width. apply uniform_ok in E as [-> U]. split; auto.
      destruct (FO ts vs scopes rows (Q.Join c p q) _ _ BIG V S F) as [_ M]. assert (BP : big rows (Q.SemiJoin false c p q)) by (apply (big_less rows (Q.LeftJoin (List.length (skipn (List.length js) ks')) c p q)); auto; cbn; auto with datatypes).
      destruct (FO _ _ _ _ _ _ _ BP V S G) as [_ N]. eapply means_perm; [|symmetry; apply partners]. apply means_union; auto. cbn [Q.answer] in N.
      destruct N as (brs & N1 & N2). exists (map (fun br => (fst br, snd br ++ repeat Q.Null (List.length (skipn (List.length js) ks')))) brs). split.
      + clear N2 G U. revert brs N1. induction alone as [|m alone IH]; intros brs N; unfold cases in *; cbn [map flat_map] in *; [inversion N; constructor|].
        apply Forall2_app_inv_l in N as (b1 & b2 & N1 & N2 & ->). rewrite map_app. apply Forall2_app; [|now apply IH]. clear IH N2. cbn [over with_heads].
        revert b1 N1. induction (choices en (over m)) as [|ys l IHl]; intros b1 N; inversion N as [|? [b row] ? ? B N']; subst; cbn [map]; constructor; auto.
        intros r H. cbn [fst snd] in *. destruct (B r H) as [B1 B2]. split; [exact B1|]. cbn [heads with_heads]. apply row_app; auto.
        clear. induction (skipn (List.length js) ks') as [|k l IHk]; cbn [map List.length repeat]; [constructor|]. constructor; [|exact IHk]. cbn [fst snd]. split; [now destruct k|]. split; [split; reflexivity|apply literal_is].
      + etransitivity; [|apply Permutation_map; exact N2]. apply Permutation_refl'. clear. unfold kept. induction brs as [|[b row] l IH]; cbn [map filter fst snd]; auto. destruct b; cbn [map snd]; now rewrite IH.
    - destruct (form ds s n ts scopes p) as [[ms' ks']|] eqn:F; [|discriminate]. cbn [bind] in E. destruct (FO ts vs scopes rows p _ _ BIG V S F) as [_ M].
      destruct (each_ok _ (fun l => (Bool.eqb keep (existsb (fun r => Q.is_true (Q.value_of d ((l ++ r) :: rows) c)) (Q.answer d rows q)), l)) ts vs ms' ms ks _ E V M) as [U N].
      + intros m m' X. destruct (parameters_from _ _); [discriminate|]. destruct (some_row _ _ _ _ _ _); [|discriminate]. now inversion X.
      + intros m m' ys br X A B r H. cbv zeta in X. destruct (parameters_from 0 (heads m :: scopes)) as [|own inner] eqn:PA; [discriminate|].
        destruct (some_row _ _ _ _ _ _) as [e|] eqn:SR; [|discriminate]. inversion X; subst; clear X. cbn [fst snd heads also].
        apply (partner_ok (form ds s n) scopes rows ts vs m ys br keep _ q e (fun x => Q.is_true (Q.value_of d ((snd br ++ x) :: rows) c)) r own inner FO PA SR A S V B); auto.
        intros ws W IN us zs h t row Z HR T r' H'. destruct (truth _ _ _ _) as [t'|] eqn:TR; [|discriminate]. inversion T; subst.
        apply (truth_here (terms ds s n) _ (ws ++ zs) _ (((snd br ++ row) : Q.row) :: rows) c t' TO TR); auto; [now apply Forall2_app|].
        intros r2 H2. specialize (IN r2 (here_app _ _ _ _ _ _ W H2)). inversion IN; subst. constructor; auto. apply row_app; auto.
      + split; auto. cbn [fst snd] in N. now rewrite map_id in N.
    - assert (BP : big rows p) by (apply (big_less rows (Q.UnionAll p q)); auto; cbn; auto with datatypes).
      assert (BQ : big rows q) by (apply (big_less rows (Q.UnionAll p q)); auto; cbn; auto with datatypes).
      destruct (form ds s n ts scopes p) as [[ms1 ks1]|] eqn:F; [|discriminate]. cbn [bind] in E. destruct (form ds s n ts scopes q) as [[ms2 ks2]|] eqn:G; [|discriminate]. cbn [bind] in E.
      apply uniform_ok in E as [-> U]. split; auto. apply means_union; [exact (proj2 (FO _ _ _ _ _ _ _ BP V S F))|exact (proj2 (FO _ _ _ _ _ _ _ BQ V S G))].
    - destruct (form ds s n ts scopes p) as [[ms' ks']|] eqn:F; [|discriminate]. cbn [bind] in E. destruct (FO ts vs scopes rows p _ _ BIG V S F) as [_ M].
      destruct (each_ok _ (fun l => (Bool.eqb keep (existsb (fun r => if Q.row_eq_dec l r then true else false) (Q.answer d rows q)), l)) ts vs ms' ms ks _ E V M) as [U N].
      + intros m m' X. destruct (parameters_from _ _); [discriminate|]. destruct (some_row _ _ _ _ _ _); [|discriminate]. now inversion X.
      + intros m m' ys br X A B r H. cbv zeta in X. destruct (parameters_from 0 (heads m :: scopes)) as [|own inner] eqn:PA; [discriminate|].
        destruct (some_row _ _ _ _ _ _) as [e|] eqn:SR; [|discriminate]. inversion X; subst; clear X. cbn [fst snd heads also].
        apply (partner_ok (form ds s n) scopes rows ts vs m ys br keep _ q e (fun x => if Q.row_eq_dec (snd br) x then true else false) r own inner FO PA SR A S V B); auto.
        intros ws W IN us zs h t row Z HR T r' H'. specialize (IN r' (here_app _ _ _ _ _ _ W H')). inversion IN; subst.
        eapply same_cells_here; [apply H'|eassumption|exact (HR r' H')|exact T].
      + split; auto. cbn [fst snd] in N. rewrite map_id in N. eapply means_perm; [exact N|]. apply Permutation_refl'. apply filter_ext. intros l. f_equal. symmetry. apply is_in_existsb.
    - destruct (form ds s n ts scopes q) as [[ms' ks']|] eqn:F; [|discriminate]. cbn [bind] in E. cbv zeta in E.
      assert (BQ : big rows q) by (apply (big_less rows (Q.Distinct q)); auto; cbn; auto). destruct (FO _ _ _ _ _ _ _ BQ V S F) as [UK (brs & M & P)].
      set (k := row_cells (Var (Any (List.length ts)) (row_ty ks')) 0 ks') in *. destruct (parameters_from 0 (k :: scopes)) as [|own inner] eqn:PA; [discriminate|].
      destruct (some_row _ _ _ _ _ _) as [e|] eqn:SR; [|discriminate]. inversion E; subst; clear E. rename ks into ks'.
      assert (KK : forall i t, kinds_of (row_cells t i ks') = ks') by (clear; induction ks' as [|x l IH]; intros i t; cbn; [auto|f_equal; apply IH]).
      split; [constructor; [apply KK|constructor]|]. destruct (EVERY ks') as (us0 & U1 & U2 & U3).
      destruct (Permutation_map_inv _ _ U3) as (us & E' & U4). apply (Permutation_NoDup U4) in U1. apply (Permutation_Forall U4) in U2. clear us0 U3 U4.
      set (rs := Q.answer d rows q) in *. exists (map (fun r => (existsb (fun x => if Q.row_eq_dec r x then true else false) rs, r)) us). split.
      + unfold cases. cbn [flat_map over choices]. rewrite app_nil_r, E'. clear U1 E'. induction U2 as [|row us U _ IH]; cbn [map flat_map app]; constructor; auto.
        intros r H. cbn [fst snd condition heads] in *. pose proof (here_typed _ _ _ _ H) as R. pose proof (S r (here_app _ _ _ _ _ _ V H)) as SC.
        assert (KR : row_here r k row).
        { apply row_cells_here; auto. split; cbn [typeof run]; auto. rewrite (here_any _ _ _ _ H (List.length ts) (row_ty ks')).
          - rewrite app_nth2; rewrite (Forall2_length _ _ _ V); [|auto]. now rewrite Nat.sub_diag.
          - cbn. rewrite nth_error_app2, Nat.sub_diag by auto. reflexivity. }
        split; [|exact KR]. assert (SC' : scopes_here r (k :: scopes) (row :: rows)) by (constructor; auto).
        assert (IN : forall r', here en (takes_of (k :: scopes)) (map (meaning r) (map tuple (k :: scopes))) r' -> scopes_here r' (own :: inner) (row :: rows)).
        { intros r' H'. rewrite <- PA. apply (parameters_here r r' (here_typed _ _ _ _ H') _ _ 0 SC'). intros j u J. exact (here_any _ _ _ _ H' j u J). }
        destruct (takes_values r _ _ SC') as (TV & _).
        apply (some_row_ok (form ds s n) (k :: scopes) inner _ q e (row :: rows) rows (fun x => if Q.row_eq_dec row x then true else false) r _ FO SR R (here_same _ _ _ _ H) eq_refl SC').
        * intros r' H'. exact (Forall2_tail _ _ _ _ _ (IN r' H')).
        * intros us' zs h t row' Z HR T r' H'. specialize (IN r' (here_app _ _ _ _ _ _ TV H')). inversion IN; subst.
          eapply same_cells_here; [apply H'|eassumption|exact (HR r' H')|exact T].
      + assert (K : forall row, In row rs -> of_kinds ks' row).
        { intros row R. apply (Permutation_in _ (Permutation_sym P)) in R. unfold kept in R. apply in_map_iff in R as ([b row'] & <- & R). apply filter_In in R as [R _].
          apply (fun F => makes_typed ts vs ms' brs F V) in M. clear -R M UK EN. unfold cases in M.
          assert (X : forall m, In m ms' -> kinds_of (heads m) = ks') by (now apply Forall_forall). 
          assert (Y : Forall (fun my : monomial * list val => kinds_of (heads (fst my)) = ks') (cases ms')).
          { apply Forall_forall. intros my I. unfold cases in I. apply in_flat_map in I as (m & I1 & I2). apply in_map_iff in I2 as (ys & <- & _). now apply X. }
          fold (cases ms') in M. clear X. revert Y R. induction M as [|my br l brs [A B] M IH]; intros Y R; [destruct R|]. apply Forall_cons_iff in Y as [Y1 Y2].
          destruct R as [->|R]; [|now apply IH]. destruct (B _ (here_bound en _ _ EN A)) as [_ B2]. apply row_kinds in B2. cbn [snd] in *. now rewrite Y1 in B2. }
        apply NoDup_Permutation.
        * unfold kept. rewrite map_filter_pairs. now apply NoDup_filter'.
        * apply NoDup_nodup.
        * intros row. unfold kept. rewrite map_filter_pairs, filter_In, nodup_In, <- is_in_existsb. unfold Q.is_in. destruct (in_dec Q.row_eq_dec row rs) as [I|I].
          -- split; [intros [_ _]; exact I|intros _; split; auto].
             assert (X : In (enc ks' row) (map (enc ks') us)) by (rewrite <- E'; apply (BIG q); [cbn; auto|exact I|now apply K]).
             apply in_map_iff in X as (row' & X1 & X2). rewrite Forall_forall in U2. apply enc_injective in X1; [now subst|now apply U2|now apply K].
          -- split; [intros [_ X]; discriminate|tauto].
  Qed.
End Sound.
